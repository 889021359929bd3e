// What a loaded module tells the linker.
#pragma once

#include <elf.h>
#include <link.h>

#include <cstddef>

namespace heddle::runtime {

struct Relocations {
  const Elf64_Rela* first = nullptr;
  std::size_t count = 0;
};

struct DynamicSection {
  Relocations data;
  Relocations slots;  // of the linkage table; none where they have no addends
  const Elf64_Sym* symbols = nullptr;
  const char* names = nullptr;
  const Elf64_Half* versions = nullptr;
  const Elf64_Verneed* needed = nullptr;
  const Elf64_Verdef* defined = nullptr;
  bool lazy = true;  // slots are bound when used, and to what the global scope has

  bool has_names() const { return symbols != nullptr && names != nullptr; }
};

// Of a module without one, nothing.
DynamicSection read_dynamic_section(const dl_phdr_info& module);

// Its relocations mention the symbol: a reference through the linkage table or by address, whether bound or not.
bool imports(const dl_phdr_info& module, const char* name);

}  // namespace heddle::runtime
