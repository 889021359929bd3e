#include "host/functions.h"

#include <dwarf.h>

#include <algorithm>

namespace heddle {
namespace {

template <class Visit>
void for_each_child(Dwarf_Die parent, Visit&& visit) {
  Dwarf_Die child;
  if (dwarf_child(&parent, &child) != 0) return;
  do {
    visit(child);
  } while (dwarf_siblingof(&child, &child) == 0);
}

// Definitions stand at the top, in namespaces and types, and inside other functions (a local class has some).
bool may_hold_functions(int tag) {
  switch (tag) {
    case DW_TAG_namespace:
    case DW_TAG_class_type:
    case DW_TAG_structure_type:
    case DW_TAG_union_type:
    case DW_TAG_subprogram:
    case DW_TAG_lexical_block:
      return true;
    default:
      return false;
  }
}

// From the outside in.
void add_calls(Dwarf_Die around, std::uint64_t pc, std::vector<Dwarf_Die>& calls) {
  bool found = false;
  for_each_child(around, [&](Dwarf_Die child) {
    const int tag = dwarf_tag(&child);
    const bool is_scope = tag == DW_TAG_inlined_subroutine || tag == DW_TAG_lexical_block;
    if (found || !is_scope || dwarf_haspc(&child, pc) != 1) return;
    found = true;
    if (tag == DW_TAG_inlined_subroutine) calls.push_back(child);
    add_calls(child, pc, calls);
  });
}

}  // namespace

Functions::Functions(Dwarf_Die unit) {
  collect(unit);
  std::ranges::stable_sort(ranges_, {}, &Range::begin);
}

void Functions::collect(Dwarf_Die parent) {
  for_each_child(parent, [&](Dwarf_Die child) {
    const int tag = dwarf_tag(&child);
    if (tag == DW_TAG_subprogram) {
      Dwarf_Addr base = 0;
      Dwarf_Addr begin = 0;
      Dwarf_Addr end = 0;
      std::ptrdiff_t at = 0;
      while ((at = dwarf_ranges(&child, at, &base, &begin, &end)) > 0) {
        ranges_.push_back({begin, end, child});
      }
    }
    if (may_hold_functions(tag)) collect(child);
  });
}

std::vector<Dwarf_Die> Functions::at(std::uint64_t pc) const {
  // Ranges of functions do not overlap.
  auto next = std::ranges::upper_bound(ranges_, pc, {}, &Range::begin);
  if (next == ranges_.begin()) return {};
  const Range& range = *std::prev(next);
  if (pc >= range.end) return {};
  std::vector<Dwarf_Die> calls{range.function};
  add_calls(range.function, pc, calls);
  std::ranges::reverse(calls);
  return calls;
}

}  // namespace heddle
