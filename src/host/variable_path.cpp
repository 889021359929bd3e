#include "host/variable_path.h"

#include <dwarf.h>
#include <fmt/core.h>

#include <string_view>

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

// What a std::array consists of, in libstdc++ and libc++: its elements are its own.
bool is_elements_of_array(const char* name, Dwarf_Die& type) {
  if (name == nullptr || dwarf_tag(&type) != DW_TAG_array_type) return false;
  return std::string_view(name) == "_M_elems" || std::string_view(name) == "__elems_";
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
    if (is_elements_of_array(name, member_type)) {
      return path_within(member_type, offset - begin, depth + 1);
    }
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

bool type_of(Dwarf_Die& die, Dwarf_Die& type) {
  Dwarf_Attribute attribute;
  return dwarf_attr_integrate(&die, DW_AT_type, &attribute) != nullptr &&
         dwarf_formref_die(&attribute, &type) != nullptr && strip(type);
}

std::uint64_t size_of(Dwarf_Die& type) {
  Dwarf_Word size = 0;
  return dwarf_aggregate_size(&type, &size) == 0 ? size : 0;
}

std::string path_within(Dwarf_Die type, std::uint64_t offset) {
  return path_within(type, offset, 0);
}

}  // namespace heddle
