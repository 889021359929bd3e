// Happens-before inside a controlled run. Only the thread that has control works on clocks, so nothing here is atomic.
#pragma once

#include <cstdint>

#include "contract/control_block.h"

namespace heddle::controlled {

// What a thread knows of all threads' progress. Entries past `size` are 0.
struct ThreadClock {
  std::uint32_t size;
  std::uint32_t ticks[kMaxThreads];
};

// The clock an object carries from releasers to acquirers; its storage grows with the number of threads.
struct SharedClock {
  std::uint32_t* ticks;
  std::uint32_t size;
  std::uint32_t capacity;
};

void join(ThreadClock& into, const SharedClock& from);
void join(ThreadClock& into, const ThreadClock& from);
void join(SharedClock& into, const ThreadClock& from);
void assign(SharedClock& into, const ThreadClock& from);

inline std::uint32_t tick_of(const ThreadClock& clock, std::uint32_t thread) {
  return thread < clock.size ? clock.ticks[thread] : 0;
}

}  // namespace heddle::controlled
