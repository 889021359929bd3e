// Which module holds an address: a sorted snapshot that readers use without a lock.
#pragma once

#include <cstdint>

namespace heddle::runtime {

struct LoadedModule {
  std::uint64_t start;  // of the mapped image
  std::uint64_t end;
  std::uint64_t bias;   // address minus bias is the ELF file's own address
  std::uint32_t index;  // in the control block's module table
  bool instrumented;    // its accesses are reported
};

// Null if no listed module holds it.
const LoadedModule* find_module(std::uint64_t address);
// For an address that no listed module holds: asks the loader whether there is news. Takes no lock: somebody who does not run
// may have the loader's. Where libc cannot tell without one (before glibc 2.35) there is none.
const LoadedModule* find_new_module(std::uint64_t address);

// Where in our own library the address is, 0 if it is not there.
std::uint64_t own_offset(std::uint64_t address);

// The module with that index if it is loaded now.
const LoadedModule* module_by_index(std::uint64_t index);

}  // namespace heddle::runtime
