// Which of the operations that earlier runs saw are worth a strategy's attention.
#pragma once

#include <cstdint>
#include <span>

#include "contract/control_block.h"

namespace heddle::campaign {

// Fills in thread_number, object_number and site_number (contract/control_block.h). An object is contended if two threads
// use it and not only to read. Sites where a thread already has something behind it come first: a window between two
// operations is the commoner bug than a late start. The order is otherwise that of the table.
void number_contended(std::span<AccessProfile> accesses, std::span<const ThreadProfile> profile);

// How many sites there are to hold threads at.
std::uint32_t contended_sites(std::span<const AccessProfile> accesses);

}  // namespace heddle::campaign
