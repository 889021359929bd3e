#include "analysis/vector_clock.h"

namespace heddle {

namespace {

bool reserve(Arena& arena, VectorClock& clock, std::uint32_t size) {
  if (size <= clock.capacity) return true;
  std::uint32_t capacity = clock.capacity == 0 ? 4 : clock.capacity;
  while (capacity < size) capacity *= 2;
  auto* const ticks = arena.make_array<std::uint32_t>(capacity);
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

}  // namespace

bool set_tick(Arena& arena, VectorClock& into, std::uint32_t thread, std::uint32_t tick) {
  if (!extend(arena, into, thread + 1)) return false;
  into.ticks[thread] = tick;
  return true;
}

bool join(Arena& arena, VectorClock& into, const VectorClock& from) {
  if (!extend(arena, into, from.size)) return false;
  for (std::uint32_t i = 0; i < from.size; ++i) {
    if (into.ticks[i] < from.ticks[i]) into.ticks[i] = from.ticks[i];
  }
  return true;
}

bool assign(Arena& arena, VectorClock& into, const VectorClock& from) {
  if (!reserve(arena, into, from.size)) return false;
  for (std::uint32_t i = 0; i < from.size; ++i) into.ticks[i] = from.ticks[i];
  into.size = from.size;
  return true;
}

bool at_most(const VectorClock& a, const VectorClock& b) {
  for (std::uint32_t i = 0; i < a.size; ++i) {
    if (a.ticks[i] > tick_of(b, i)) return false;
  }
  return true;
}

}  // namespace heddle
