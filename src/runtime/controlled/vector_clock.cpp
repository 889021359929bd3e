#include "runtime/controlled/vector_clock.h"

#include "runtime/platform/memory.h"

namespace heddle::controlled {

namespace {

// What larger storage took the place of, by size: used again.
struct Unused {
  Unused* next;
};
constexpr std::uint32_t kLeast = 4;
static_assert(kLeast * sizeof(std::uint32_t) >= sizeof(Unused));
Unused* g_unused[12];  // of kLeast << place entries
static_assert(kLeast << 11 >= kMaxThreads);

Unused*& unused_of(std::uint32_t capacity) { return g_unused[__builtin_ctz(capacity / kLeast)]; }

std::uint32_t* take(std::uint32_t capacity, ClockOf of) {
  if (Unused*& unused = unused_of(capacity)) {
    Unused* const taken = unused;
    unused = taken->next;
    return reinterpret_cast<std::uint32_t*>(taken);
  }
  const std::size_t bytes = capacity * sizeof(std::uint32_t);
  return static_cast<std::uint32_t*>(of == ClockOf::thread ? runtime::allocate_forever(bytes)
                                                           : runtime::allocate_growing(bytes));
}

void give_back(const Clock& clock) {
  if (clock.capacity == 0) return;
  auto* const unused = reinterpret_cast<Unused*>(clock.ticks);
  unused->next = unused_of(clock.capacity);
  unused_of(clock.capacity) = unused;
}

}  // namespace

bool reserve(Clock& clock, std::uint32_t size, ClockOf of) {
  if (size <= clock.capacity) return true;
  std::uint32_t capacity = clock.capacity == 0 ? kLeast : clock.capacity;
  while (capacity < size) capacity *= 2;
  std::uint32_t* const ticks = take(capacity, of);
  if (ticks == nullptr) return false;
  for (std::uint32_t i = 0; i < clock.size; ++i) ticks[i] = clock.ticks[i];
  give_back(clock);
  clock.ticks = ticks;
  clock.capacity = capacity;
  return true;
}

void join(Clock& into, const Clock& from, ClockOf of) {
  if (!reserve(into, from.size, of)) return;
  for (std::uint32_t i = into.size; i < from.size; ++i) into.ticks[i] = 0;
  if (into.size < from.size) into.size = from.size;
  for (std::uint32_t i = 0; i < from.size; ++i) {
    if (into.ticks[i] < from.ticks[i]) into.ticks[i] = from.ticks[i];
  }
}

void assign(Clock& into, const Clock& from, ClockOf of) {
  if (!reserve(into, from.size, of)) {
    // What it knew before it must not tell any more: too little is known, never too much.
    into.size = 0;
    return;
  }
  for (std::uint32_t i = 0; i < from.size; ++i) into.ticks[i] = from.ticks[i];
  into.size = from.size;
}

}  // namespace heddle::controlled
