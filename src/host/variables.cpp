#include "host/variables.h"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <fmt/core.h>

#include <cstdlib>

#include "host/demangle.h"

namespace heddle {
namespace {

// Typedefs, const, volatile and atomic say nothing about the layout.
bool strip(Dwarf_Die& type) {
  for (int i = 0; i < 32; ++i) {
    switch (dwarf_tag(&type)) {
      case DW_TAG_typedef:
      case DW_TAG_const_type:
      case DW_TAG_volatile_type:
      case DW_TAG_restrict_type:
      case DW_TAG_atomic_type: {
        Dwarf_Attribute attribute;
        Dwarf_Die inner;
        if (dwarf_attr_integrate(&type, DW_AT_type, &attribute) == nullptr ||
            dwarf_formref_die(&attribute, &inner) == nullptr) {
          return false;
        }
        type = inner;
        break;
      }
      default:
        return true;
    }
  }
  return false;
}

bool type_of(Dwarf_Die& die, Dwarf_Die& type) {
  Dwarf_Attribute attribute;
  return dwarf_attr_integrate(&die, DW_AT_type, &attribute) != nullptr &&
         dwarf_formref_die(&attribute, &type) != nullptr && strip(type);
}

std::uint64_t size_of(Dwarf_Die& type) {
  Dwarf_Word size = 0;
  return dwarf_aggregate_size(&type, &size) == 0 ? size : 0;
}

bool number(Dwarf_Die& die, unsigned name, std::uint64_t& value) {
  Dwarf_Attribute attribute;
  Dwarf_Word word = 0;
  if (dwarf_attr_integrate(&die, name, &attribute) == nullptr ||
      dwarf_formudata(&attribute, &word) != 0) {
    return false;
  }
  value = word;
  return true;
}

// A name that begins with an underscore belongs to a library's insides: a std::mutex is shown as itself.
bool is_inside_of_a_library(const char* name) { return name != nullptr && name[0] == '_'; }

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

std::string path_within(Dwarf_Die type, std::uint64_t offset, int depth);

std::string path_in_structure(Dwarf_Die& type, std::uint64_t offset, int depth) {
  Dwarf_Die member;
  if (dwarf_child(&type, &member) != 0) {
    return {};
  }
  do {
    const int tag = dwarf_tag(&member);
    if (tag != DW_TAG_member && tag != DW_TAG_inheritance) {
      continue;
    }
    std::uint64_t begin = 0;
    Dwarf_Die member_type;
    if (dwarf_hasattr(&member, DW_AT_external) != 0 || !type_of(member, member_type)) {
      continue;  // a static member is not in here
    }
    number(member, DW_AT_data_member_location, begin);
    const std::uint64_t size = size_of(member_type);
    if (offset < begin || offset >= begin + size) {
      continue;
    }
    const char* name = dwarf_diename(&member);
    if (is_inside_of_a_library(name)) {
      return {};
    }
    const std::string rest = path_within(member_type, offset - begin, depth + 1);
    const bool anonymous = tag == DW_TAG_inheritance || name == nullptr;
    return anonymous ? rest : fmt::format(".{}{}", name, rest);
  } while (dwarf_siblingof(&member, &member) == 0);
  return {};
}

std::string path_in_array(Dwarf_Die& type, std::uint64_t offset, int depth) {
  Dwarf_Die element;
  Dwarf_Die dimension;
  if (!type_of(type, element) || dwarf_child(&type, &dimension) != 0) {
    return {};
  }
  const std::uint64_t element_size = size_of(element);
  std::uint64_t inner = element_size;  // bytes below the first dimension
  Dwarf_Die other = dimension;
  while (dwarf_siblingof(&other, &other) == 0) {
    std::uint64_t bound = 0;
    if (number(other, DW_AT_count, bound)) {
      inner *= bound;
    } else if (number(other, DW_AT_upper_bound, bound)) {
      inner *= bound + 1;
    }
  }
  if (inner == 0 || element_size == 0) {
    return {};
  }
  if (inner != element_size) {  // several dimensions: rows are enough
    return fmt::format("[{}][{}]", offset / inner, offset % inner / element_size);
  }
  return fmt::format("[{}]{}", offset / element_size,
                     path_within(element, offset % element_size, depth + 1));
}

std::string path_within(Dwarf_Die type, std::uint64_t offset, int depth) {
  if (depth > 16) {
    return {};
  }
  switch (dwarf_tag(&type)) {
    case DW_TAG_structure_type:
    case DW_TAG_class_type:
    case DW_TAG_union_type:
      return path_in_structure(type, offset, depth);
    case DW_TAG_array_type:
      return path_in_array(type, offset, depth);
    default:
      return offset == 0 ? std::string() : fmt::format("+{}", offset);
  }
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
  return variable.name + path_within(variable.type, address - start, 0);
}

}  // namespace heddle
