#include "runtime/controlled/vector_clock.h"

#include "runtime/platform/memory.h"

namespace heddle::controlled {

namespace {

// Room for at least `size` entries; false if memory is refused (the clock then stays as it is: less is known ordered).
bool reserve(SharedClock& clock, std::uint32_t size) {
  if (size <= clock.capacity) return true;
  std::uint32_t capacity = clock.capacity == 0 ? 4 : clock.capacity;
  while (capacity < size) capacity *= 2;
  auto* const ticks =
      static_cast<std::uint32_t*>(runtime::allocate_forever(capacity * sizeof(std::uint32_t)));
  if (ticks == nullptr) return false;
  for (std::uint32_t i = 0; i < clock.size; ++i) ticks[i] = clock.ticks[i];
  clock.ticks = ticks;
  clock.capacity = capacity;
  return true;
}

void raise(std::uint32_t& tick, std::uint32_t to) {
  if (tick < to) tick = to;
}

}  // namespace

void join(ThreadClock& into, const SharedClock& from) {
  for (std::uint32_t i = 0; i < from.size; ++i) raise(into.ticks[i], from.ticks[i]);
  if (into.size < from.size) into.size = from.size;
}

void join(ThreadClock& into, const ThreadClock& from) {
  for (std::uint32_t i = 0; i < from.size; ++i) raise(into.ticks[i], from.ticks[i]);
  if (into.size < from.size) into.size = from.size;
}

void join(SharedClock& into, const ThreadClock& from) {
  if (!reserve(into, from.size)) return;
  for (std::uint32_t i = into.size; i < from.size; ++i) into.ticks[i] = 0;
  if (into.size < from.size) into.size = from.size;
  for (std::uint32_t i = 0; i < from.size; ++i) raise(into.ticks[i], from.ticks[i]);
}

void assign(SharedClock& into, const ThreadClock& from) {
  if (!reserve(into, from.size)) return;
  for (std::uint32_t i = 0; i < from.size; ++i) into.ticks[i] = from.ticks[i];
  into.size = from.size;
}

}  // namespace heddle::controlled
