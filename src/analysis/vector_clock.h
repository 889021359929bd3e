// What a thread, or a synchronisation object, knows of every thread's progress (Mattern; Fidge).
#pragma once

#include <cstdint>

#include "base/arena.h"

namespace heddle {

// Entries past `size` are 0. Storage grows with the highest thread number seen and stays in the arena.
struct VectorClock {
  std::uint32_t* ticks;
  std::uint32_t size;
  std::uint32_t capacity;
};

inline std::uint32_t tick_of(const VectorClock& clock, std::uint32_t thread) {
  return thread < clock.size ? clock.ticks[thread] : 0;
}

// All return false if memory is used up; `into` is then as it was.
[[nodiscard]] bool set_tick(Arena& arena, VectorClock& into, std::uint32_t thread,
                            std::uint32_t tick);
[[nodiscard]] bool extend(Arena& arena, VectorClock& clock, std::uint32_t size);
[[nodiscard]] inline bool join(Arena& arena, VectorClock& into, const VectorClock& from) {
  if (from.size > into.size && !extend(arena, into, from.size)) return false;
  for (std::uint32_t i = 0; i < from.size; ++i) {
    if (into.ticks[i] < from.ticks[i]) into.ticks[i] = from.ticks[i];
  }
  return true;
}
[[nodiscard]] bool reserve(Arena& arena, VectorClock& clock, std::uint32_t size);
[[nodiscard]] inline bool assign(Arena& arena, VectorClock& into, const VectorClock& from) {
  if (from.size > into.capacity && !reserve(arena, into, from.size)) return false;
  for (std::uint32_t i = 0; i < from.size; ++i) into.ticks[i] = from.ticks[i];
  into.size = from.size;
  return true;
}
inline void clear(VectorClock& clock) { clock.size = 0; }

// Is every entry of `a` at most that of `b`?
bool at_most(const VectorClock& a, const VectorClock& b);

}  // namespace heddle
