// The two events whose order decides, from a run that fails and one near it that passes.
#pragma once

#include <cstddef>
#include <optional>
#include <span>

#include "contract/event.h"

namespace heddle::campaign {

// Positions in the failing trace.
struct FlippedPair {
  std::size_t first = 0;  // came first where it fails, second where it passes
  std::size_t second = 0;
  bool second_passing =
      false;              // `second` had not come when it failed: a position in the passing trace
  bool by_value = false;  // the one event read another value than it does where the program passes
  bool ordered = false;   // something else than locks orders them, in whatever order they come
  // What shows that a thread was interrupted, on objects that both threads use: the last thing that the second event's
  // thread did before `first`; else the first thing that the first event's thread did after `second`.
  std::optional<std::size_t> interrupted = std::nullopt;
  std::optional<std::size_t> resumed = std::nullopt;
};

// The two events whose order decides. First choice: the first event to read another value than it does where the program
// passes, and the write it should have seen, or should not. Where no value tells, the first conflicting pair whose order is
// the other one: memory before locks. Where there is none, a lock that is held at a fork and was not there.
std::optional<FlippedPair> find_flipped(std::span<const Event> failing,
                                        std::span<const Event> passing);

}  // namespace heddle::campaign
