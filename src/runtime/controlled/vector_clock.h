// Happens-before inside a controlled run. Only the thread that has control works on clocks, so nothing here is atomic.
#pragma once

#include <cstdint>

#include "contract/control_block.h"

namespace heddle::controlled {

// What a thread, or an object that threads release and acquire, knows of all threads' progress. Entries past `size` are 0.
// The storage grows with the number of threads, so that the clocks of a few threads lie on one page. All zero is a new one.
struct Clock {
  std::uint32_t* ticks;
  std::uint32_t size;
  std::uint32_t capacity;
};

// There are few threads, and many objects: what these need is bounded with all else that grows (platform/memory.h).
enum class ClockOf : std::uint8_t { thread, object };

// Room for at least `size` entries; false if memory is refused (the clock stays as it is: less is known to be ordered).
bool reserve(Clock& clock, std::uint32_t size, ClockOf of);

void join(Clock& into, const Clock& from, ClockOf of);
void assign(Clock& into, const Clock& from, ClockOf of);

inline std::uint32_t tick_of(const Clock& clock, std::uint32_t thread) {
  return thread < clock.size ? clock.ticks[thread] : 0;
}

}  // namespace heddle::controlled
