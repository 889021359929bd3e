// The calls that lead to allocations, kept once each in the control block: a block that a container's own header asked for is
// shown by the line of the program that used the container.
#pragma once

#include <cstdint>

namespace heddle::runtime {

// Of the calling thread, now: a place in the control block's list, plus one. 0: nobody keeps call stacks, or there is no
// room left.
std::uint16_t allocation_calls_now();

}  // namespace heddle::runtime
