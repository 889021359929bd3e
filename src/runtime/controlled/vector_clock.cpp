#include "runtime/controlled/vector_clock.h"

#include "runtime/platform/memory.h"

namespace heddle::controlled {

bool reserve(Clock& clock, std::uint32_t size) {
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

void join(Clock& into, const Clock& from) {
  if (!reserve(into, from.size)) return;
  for (std::uint32_t i = into.size; i < from.size; ++i) into.ticks[i] = 0;
  if (into.size < from.size) into.size = from.size;
  for (std::uint32_t i = 0; i < from.size; ++i) {
    if (into.ticks[i] < from.ticks[i]) into.ticks[i] = from.ticks[i];
  }
}

void assign(Clock& into, const Clock& from) {
  if (!reserve(into, from.size)) return;
  for (std::uint32_t i = 0; i < from.size; ++i) into.ticks[i] = from.ticks[i];
  into.size = from.size;
}

}  // namespace heddle::controlled
