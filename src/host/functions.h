// The functions of one unit of debug information by their addresses. libdw walks the whole unit for every address it is asked
// about, which takes some hundredths of a second where there are many templates; this walks it once.
#pragma once

#include <elfutils/libdw.h>

#include <cstdint>
#include <vector>

namespace heddle {

class Functions {
 public:
  explicit Functions(Dwarf_Die unit);

  // What the address is in, from the innermost inlined call out to the function. Empty if it is in none.
  std::vector<Dwarf_Die> at(std::uint64_t pc) const;

 private:
  struct Range {
    std::uint64_t begin;
    std::uint64_t end;
    Dwarf_Die function;
  };
  void collect(Dwarf_Die parent);

  std::vector<Range> ranges_;  // by their beginnings
};

}  // namespace heddle
