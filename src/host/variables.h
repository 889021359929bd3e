// Variables of a module with their types, from its debug information: so that an offset can be shown as a field.
#pragma once

#include <elfutils/libdwfl.h>

#include <cstdint>
#include <map>
#include <string>

namespace heddle {

class Variables {
 public:
  // Walks all compilation units once; nothing for a module without debug information.
  explicit Variables(Dwfl_Module* module);

  // "account.balance", "table[2]", or empty. `address` is the module's own (before any bias).
  std::string name(std::uint64_t address);

 private:
  struct Variable {
    std::string name;
    std::uint64_t size;
    Dwarf_Die type;
  };
  void collect(Dwarf_Die& parent, const std::string& scope, int depth);
  void add(Dwarf_Die& die, const std::string& scope);

  std::map<std::uint64_t, Variable> by_address_;
};

}  // namespace heddle
