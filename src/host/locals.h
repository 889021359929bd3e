// Variables of one function that live on its stack, from debug information: so that another thread's access to them can be
// shown by name.
#pragma once

#include <elfutils/libdwfl.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace heddle {

class Locals {
 public:
  // Nothing for a module without debug information, or without that function.
  Locals(Dwfl_Module* module, const char* function);

  // "channel.users": what lies at that distance from the frame's canonical address (below it: negative). Empty if nothing
  // is known, or if several variables share the place.
  std::string name(std::int64_t offset) const;

 private:
  struct Local {
    std::string name;
    std::int64_t begin = 0;
    std::uint64_t size = 0;
    Dwarf_Die type{};
  };
  bool find_base(Dwarf_Die& function);
  void collect(Dwarf_Die& parent, int depth);
  void add(Dwarf_Die& variable);

  // What locations count from, from the canonical frame address.
  std::int64_t base_ = 0;
  std::optional<std::int64_t> stack_pointer_;
  std::vector<Local> locals_;
};

}  // namespace heddle
