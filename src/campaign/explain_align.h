// Two traces side by side: which conflicting events came in the other order.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "contract/event.h"

namespace heddle::campaign {

// It got the lock: a try or a timed wait may not have.
bool takes_lock(const Event& event);
bool gives_lock(EventKind kind);

// By event: the locks its thread held when it happened.
std::vector<std::vector<ObjectId>> held_locks(std::span<const Event> events);

// Two events of different threads on one object, not both reads.
bool conflict(const Event& a, const Event& b);

// Positions in the failing trace.
struct FlippedPair {
  std::size_t first = 0;  // came first where it fails, second where it passes
  std::size_t second = 0;
  // The last thing the second event's thread did with the same object before `first`: what `first` came between.
  std::optional<std::size_t> before;
};

// The pair that completes first in the failing trace, because a cause comes before what it causes: memory before locks.
// Events are the same when thread, kind, place, object and how often it had come before are.
std::optional<FlippedPair> find_flipped(std::span<const Event> failing,
                                        std::span<const Event> passing);

}  // namespace heddle::campaign
