#include "analysis/vector_clock.h"

namespace heddle {

bool reserve(Arena& arena, VectorClock& clock, std::uint32_t size) {
  if (size <= clock.capacity) return true;
  // A cache line of its own: a thread that writes its clock must not slow others down that write theirs.
  constexpr std::uint32_t kLine = 64;
  std::uint32_t capacity = clock.capacity == 0 ? kLine / sizeof(std::uint32_t) : clock.capacity;
  while (capacity < size) capacity *= 2;
  auto* const ticks =
      static_cast<std::uint32_t*>(arena.allocate(capacity * sizeof(std::uint32_t), kLine));
  if (ticks == nullptr) return false;
  for (std::uint32_t i = 0; i < clock.size; ++i) ticks[i] = clock.ticks[i];
  clock.ticks = ticks;
  clock.capacity = capacity;
  return true;
}

bool extend(Arena& arena, VectorClock& clock, std::uint32_t size) {
  if (!reserve(arena, clock, size)) return false;
  while (clock.size < size) clock.ticks[clock.size++] = 0;
  return true;
}

bool set_tick(Arena& arena, VectorClock& into, std::uint32_t thread, std::uint32_t tick) {
  if (!extend(arena, into, thread + 1)) return false;
  into.ticks[thread] = tick;
  return true;
}

bool at_most(const VectorClock& a, const VectorClock& b) {
  for (std::uint32_t i = 0; i < a.size; ++i) {
    if (a.ticks[i] > tick_of(b, i)) return false;
  }
  return true;
}

}  // namespace heddle
