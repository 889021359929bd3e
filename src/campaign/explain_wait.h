// A thread that goes on from a condition wait although what it looked at before is as it was then: `if` instead of `while`.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "contract/event.h"

namespace heddle::campaign {

// Positions in the trace.
struct UncheckedWait {
  std::vector<std::size_t> looks;  // at what others share, with the lock, before the wait
  std::size_t waits = 0;
  std::size_t goes_on =
      0;  // the first it does to what it had looked at, not at a place where it looked
};

using SamePlace = std::function<bool(std::size_t, std::size_t)>;

// The last one of that thread. What it had looked at counts as unchanged where each value is what it was, or where two that
// were equal (a queue's ends) have both changed and are equal again.
std::optional<UncheckedWait> find_unchecked_wait(std::span<const Event> events, ThreadId thread,
                                                 const SamePlace& same_place);

}  // namespace heddle::campaign
