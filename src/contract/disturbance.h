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
  priority,     // amount: new priority
  barrier,      // hold at the object until others arrive there; amount: nanoseconds at most
  halt,         // stop this thread until no other can move
  inverse,      // all other threads stop for `amount` operations of this one
};

struct Disturbance {
  DisturbanceKind kind = DisturbanceKind::none;
  std::uint64_t amount = 0;

  explicit constexpr operator bool() const { return kind != DisturbanceKind::none; }
};

}  // namespace heddle
