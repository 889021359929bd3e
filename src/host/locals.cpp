#include "host/locals.h"

#include <dwarf.h>
#include <elfutils/libdw.h>

#include <cstdlib>
#include <string_view>

#include "host/variable_path.h"

namespace heddle {
namespace {

// In DWARF's numbering.
constexpr unsigned kFramePointer = 6;
constexpr std::int64_t kFramePointerBelow =
    16;  // a frame pointer is saved under the return address
constexpr unsigned kStackPointer = 7;

bool find_function(Dwarf_Die& unit, const char* name, Dwarf_Die& function) {
  if (dwarf_child(&unit, &function) != 0) return false;
  do {
    const char* its_name = dwarf_diename(&function);
    if (dwarf_tag(&function) == DW_TAG_subprogram && its_name != nullptr &&
        std::string_view(its_name) == name && dwarf_hasattr(&function, DW_AT_frame_base) != 0) {
      return true;
    }
  } while (dwarf_siblingof(&function, &function) == 0);
  return false;
}

// The stack pointer in the body of a function, from the canonical frame address.
std::optional<std::int64_t> stack_pointer_in(Dwfl_Module* module, Dwarf_Die& function) {
  Dwarf_Addr low = 0;
  Dwarf_Addr high = 0;
  Dwarf_Addr bias = 0;
  Dwarf_CFI* const cfi = dwfl_module_eh_cfi(module, &bias);
  Dwarf_Frame* frame = nullptr;
  if (cfi == nullptr || dwarf_lowpc(&function, &low) != 0 || dwarf_highpc(&function, &high) != 0 ||
      dwarf_cfi_addrframe(cfi, low + (high - low) / 2, &frame) != 0) {
    return std::nullopt;
  }
  Dwarf_Op* operations = nullptr;
  std::size_t count = 0;
  std::optional<std::int64_t> found;
  if (dwarf_frame_cfa(frame, &operations, &count) == 0 && count == 1 &&
      operations[0].atom == DW_OP_bregx && operations[0].number == kStackPointer) {
    found = -static_cast<std::int64_t>(operations[0].number2);
  } else if (count == 1 && operations[0].atom == DW_OP_breg0 + kStackPointer) {
    found = -static_cast<std::int64_t>(operations[0].number);
  }
  std::free(frame);
  return found;
}

}  // namespace

Locals::Locals(Dwfl_Module* module, const char* function) {
  Dwarf_Addr bias = 0;
  Dwarf* const dwarf = dwfl_module_getdwarf(module, &bias);
  if (dwarf == nullptr) return;
  Dwarf_CU* unit = nullptr;
  Dwarf_Die die;
  while (dwarf_get_units(dwarf, unit, &unit, nullptr, nullptr, &die, nullptr) == 0) {
    Dwarf_Die found;
    if (!find_function(die, function, found)) continue;
    stack_pointer_ = stack_pointer_in(module, found);
    if (find_base(found)) collect(found, 0);
    return;
  }
}

bool Locals::find_base(Dwarf_Die& function) {
  Dwarf_Attribute attribute;
  Dwarf_Op* operations = nullptr;
  std::size_t count = 0;
  if (dwarf_attr(&function, DW_AT_frame_base, &attribute) == nullptr ||
      dwarf_getlocation(&attribute, &operations, &count) != 0 || count != 1) {
    return false;
  }
  switch (operations[0].atom) {
    case DW_OP_call_frame_cfa:
      base_ = 0;
      return true;
    case DW_OP_reg0 + kFramePointer:
      base_ = -kFramePointerBelow;
      return true;
    case DW_OP_reg0 + kStackPointer:
      base_ = stack_pointer_.value_or(0);
      return stack_pointer_.has_value();
    default:
      return false;
  }
}

void Locals::collect(Dwarf_Die& parent, int depth) {
  Dwarf_Die child;
  if (depth > 8 || dwarf_child(&parent, &child) != 0) return;
  do {
    switch (dwarf_tag(&child)) {
      case DW_TAG_variable:
        add(child);
        break;
      case DW_TAG_lexical_block:
      case DW_TAG_inlined_subroutine:
        collect(child, depth + 1);
        break;
      default:
        break;
    }
  } while (dwarf_siblingof(&child, &child) == 0);
}

void Locals::add(Dwarf_Die& variable) {
  Dwarf_Attribute attribute;
  const char* const name = dwarf_diename(&variable);
  Local local;
  if (name == nullptr || dwarf_attr_integrate(&variable, DW_AT_location, &attribute) == nullptr ||
      !type_of(variable, local.type)) {
    return;
  }
  local.name = name;
  local.size = size_of(local.type);
  Dwarf_Addr base = 0;
  Dwarf_Addr begin = 0;
  Dwarf_Addr end = 0;
  Dwarf_Op* operations = nullptr;
  std::size_t count = 0;
  std::ptrdiff_t at = 0;
  // Where it is in memory; it may be elsewhere at times.
  while ((at = dwarf_getlocations(&attribute, at, &base, &begin, &end, &operations, &count)) > 0) {
    if (count != 1) continue;
    const bool by_stack_pointer =
        operations[0].atom == DW_OP_breg0 + kStackPointer && stack_pointer_;
    if (operations[0].atom != DW_OP_fbreg && !by_stack_pointer) continue;
    local.begin = (by_stack_pointer ? *stack_pointer_ : base_) +
                  static_cast<std::int64_t>(operations[0].number);
    locals_.push_back(local);
    return;
  }
}

std::string Locals::name(std::int64_t offset) const {
  const Local* found = nullptr;
  for (const Local& local : locals_) {
    if (offset < local.begin) continue;
    const auto within = static_cast<std::uint64_t>(offset - local.begin);
    if (within >= std::max<std::uint64_t>(local.size, 1)) continue;
    if (found != nullptr && found->name != local.name) return {};
    found = &local;
  }
  if (found == nullptr) return {};
  return found->name + path_within(found->type, static_cast<std::uint64_t>(offset - found->begin));
}

}  // namespace heddle
