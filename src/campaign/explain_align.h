// Two traces side by side: which event of one is which of the other.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "contract/event.h"

namespace heddle::campaign {

// Two events of different threads on one object, not both reads.
bool conflict(const Event& a, const Event& b);

// Where each event of one trace is in the other; kAbsent where it is not. Events are the same when thread, kind, place
// and object are, and they come in the same order among their thread's.
inline constexpr std::size_t kAbsent = ~std::size_t{0};
struct Alignment {
  std::vector<std::size_t> to_passing;
  std::vector<std::size_t> to_failing;
};
Alignment align(std::span<const Event> failing, std::span<const Event> passing);

// How far apart two runs are: events that met another write than they do in the other, or are not in it at all.
std::size_t distance(std::span<const Event> failing, std::span<const Event> passing);

// By event: the last write to its object before it; kAbsent: none was seen.
std::vector<std::size_t> last_writes(std::span<const Event> events);

}  // namespace heddle::campaign
