// From a place inside a variable to the fields and elements that lead there, by its type in the debug information.
#pragma once

#include <elfutils/libdw.h>

#include <cstdint>
#include <string>

namespace heddle {

// The type of a variable or member, without what says nothing about the layout. False: none is known.
bool type_of(Dwarf_Die& die, Dwarf_Die& type);

// In bytes; 0: not known.
std::uint64_t size_of(Dwarf_Die& type);

// ".balance", "[2].next", "+4"; empty for the whole. A library's own insides are not shown.
std::string path_within(Dwarf_Die type, std::uint64_t offset);

}  // namespace heddle
