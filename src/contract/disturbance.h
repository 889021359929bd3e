// What noise wants done at an event. A heuristic returns it; the engine does it and counts it.
#pragma once

#include <cstdint>

namespace heddle {

enum class DisturbanceKind : std::uint8_t {
  none = 0,
  yield,        // amount: times
  sleep,        // amount: nanoseconds
  wait,         // timed wait on a monitor all threads share; amount: nanoseconds
  synch_yield,  // yields while holding a lock all disturbed threads need; amount: times
  busy_wait,    // amount: nanoseconds of spinning
  priority,     // amount: new level, 0 (normal) to 19 (least urgent), as nice values go
  // Hold at event.object until another thread arrives there too, then all go on. amount:
  // nanoseconds at most.
  barrier,
  // Stop this thread until no other can move. One at a time: a second one is ignored. amount:
  // nanoseconds at most, for an engine that cannot tell.
  halt,
  // All other threads stop at their next event, for `amount` events of this one or until it
  // blocks. One at a time: a second one is ignored.
  inverse,
};

struct Disturbance {
  DisturbanceKind kind = DisturbanceKind::none;
  std::uint64_t amount = 0;

  explicit constexpr operator bool() const { return kind != DisturbanceKind::none; }
};

}  // namespace heddle
