#include "host/variables.h"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <fmt/core.h>

#include <cstdlib>

#include "host/demangle.h"
#include "host/variable_path.h"

namespace heddle {
namespace {

// gcc defines a namespace's variable outside of it, so that only the linkage name tells where it belongs.
std::string qualified_name(Dwarf_Die& die, const std::string& scope) {
  Dwarf_Attribute attribute;
  if (dwarf_attr_integrate(&die, DW_AT_linkage_name, &attribute) != nullptr) {
    if (const char* text = dwarf_formstring(&attribute); text != nullptr) {
      return demangle(text);
    }
  }
  const char* name = dwarf_diename(&die);
  Dwarf_Die declaration;
  if (name == nullptr || dwarf_attr(&die, DW_AT_specification, &attribute) == nullptr ||
      dwarf_formref_die(&attribute, &declaration) == nullptr) {
    return name == nullptr ? std::string() : scope + name;
  }
  std::string full = name;
  Dwarf_Die* around = nullptr;
  const int count = dwarf_getscopes_die(&declaration, &around);
  for (int i = 1; i < count; ++i) {
    const char* outer = dwarf_diename(&around[i]);
    if (dwarf_tag(&around[i]) != DW_TAG_compile_unit && outer != nullptr) {
      full = fmt::format("{}::{}", outer, full);
    }
  }
  std::free(around);
  return full;
}

}  // namespace

Variables::Variables(Dwfl_Module* module) {
  Dwarf_Addr bias = 0;
  Dwarf* dwarf = dwfl_module_getdwarf(module, &bias);
  if (dwarf == nullptr) {
    return;
  }
  Dwarf_CU* unit = nullptr;
  Dwarf_Die die;
  while (dwarf_get_units(dwarf, unit, &unit, nullptr, nullptr, &die, nullptr) == 0) {
    collect(die, "", 0);
  }
}

void Variables::collect(Dwarf_Die& parent, const std::string& scope, int depth) {
  Dwarf_Die child;
  if (depth > 8 || dwarf_child(&parent, &child) != 0) {
    return;
  }
  do {
    switch (dwarf_tag(&child)) {
      case DW_TAG_variable:
        add(child, scope);
        break;
      case DW_TAG_namespace: {
        const char* name = dwarf_diename(&child);
        collect(child, name == nullptr ? scope : scope + name + "::", depth + 1);
        break;
      }
      case DW_TAG_subprogram:
      case DW_TAG_lexical_block:
        collect(child, scope, depth + 1);  // static variables of functions
        break;
      default:
        break;
    }
  } while (dwarf_siblingof(&child, &child) == 0);
}

void Variables::add(Dwarf_Die& die, const std::string& scope) {
  Dwarf_Attribute attribute;
  Dwarf_Op* operations = nullptr;
  std::size_t count = 0;
  if (dwarf_attr_integrate(&die, DW_AT_location, &attribute) == nullptr ||
      dwarf_getlocation(&attribute, &operations, &count) != 0 || count != 1) {
    return;
  }
  std::uint64_t address = operations[0].number;
  if (operations[0].atom == DW_OP_addrx || operations[0].atom == DW_OP_GNU_addr_index) {
    Dwarf_Attribute indexed;
    if (dwarf_getlocation_attr(&attribute, &operations[0], &indexed) != 0 ||
        dwarf_formaddr(&indexed, &address) != 0) {
      return;
    }
  } else if (operations[0].atom != DW_OP_addr) {
    return;
  }
  Variable variable;
  variable.name = qualified_name(die, scope);
  Dwarf_Die type;
  if (variable.name.empty() || !type_of(die, type)) {
    return;
  }
  variable.type = type;
  variable.size = size_of(type);
  by_address_.emplace(address, std::move(variable));
}

std::string Variables::name(std::uint64_t address) {
  auto after = by_address_.upper_bound(address);
  if (after == by_address_.begin()) {
    return {};
  }
  const auto& [start, variable] = *std::prev(after);
  if (address - start >= std::max<std::uint64_t>(variable.size, 1)) {
    return {};
  }
  return variable.name + path_within(variable.type, address - start);
}

}  // namespace heddle
