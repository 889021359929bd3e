#include "runtime/controlled/order.h"

#include "analysis/effect.h"
#include "runtime/controlled/classification.h"
#include "runtime/controlled/engine.h"
#include "runtime/controlled/sync_table.h"
#include "runtime/platform/memory.h"

namespace heddle::controlled {

// Fences: what relaxed loads read since (waiting for an acquire fence), and what a release fence published.
struct FenceClocks {
  Clock pending_acquire;
  Clock released;
  bool has_pending;
  bool has_released;
};

namespace {

// Where memory is refused, threads share one: more seems ordered than is, and nothing breaks.
std::uint32_t g_spare_ticks[kMaxThreads];

FenceClocks* fences_of(Task& task) {
  if (task.fences == nullptr) {
    task.fences = static_cast<FenceClocks*>(runtime::allocate_forever(sizeof(FenceClocks)));
  }
  return task.fences;
}

void tick(Task& task) {
  ++task.clock.ticks[task.id.value];
  begin_phase(task);
}

void learn(Task& task, const Clock& from) {
  join(clock_of(task), from, ClockOf::thread);
  ++task.learned;
}

constexpr std::uint64_t kNotTold = ~std::uint64_t{0};

// What the object tells is changed by hand.
Clock& open(SyncEntry& entry) {
  entry.known_to = nullptr;
  return entry.released;
}

// All that the task knows takes the place of what the object told. Mostly that is its own new tick.
void tell(Task& task, SyncEntry& entry) {
  const std::uint32_t self = task.id.value;
  const Clock& clock = clock_of(task);
  if (entry.known_to == &task && entry.told_after == task.learned && self < entry.released.size) {
    entry.released.ticks[self] = clock.ticks[self];
  } else {
    assign(entry.released, clock, ClockOf::object);
    entry.known_to = &task;
    entry.told_after = task.learned;
  }
  tick(task);
}

}  // namespace

Clock& begin_clock(Clock& clock, std::uint32_t thread) {
  if (!reserve(clock, thread + 1, ClockOf::thread)) {
    clock = {g_spare_ticks, clock.size, kMaxThreads};
  }
  while (clock.size <= thread) clock.ticks[clock.size++] = 0;
  clock.ticks[thread] = 1;
  return clock;
}

static void acquire_from(Task& task, SyncEntry& entry) {
  if (entry.known_to == &task) return;
  learn(task, entry.released);
  entry.known_to = &task;
  entry.told_after = kNotTold;
}

void acquire(Task& task, const void* object) {
  if (SyncEntry* const entry = find_sync(object)) acquire_from(task, *entry);
}

void release(Task& task, const void* object) { tell(task, sync_entry(object)); }

void release_join(Task& task, const void* object) {
  SyncEntry& entry = sync_entry(object);
  if (entry.known_to == &task) return tell(task, entry);
  join(open(entry), clock_of(task), ClockOf::object);
  tick(task);
}

void order_create(Task& parent, Task& child) {
  learn(child, clock_of(parent));
  tick(parent);
}

void order_join(Task& joiner, Task& ended) { learn(joiner, clock_of(ended)); }

void order_atomic(Task& task, const void* object, EventKind kind, MemoryOrder order, bool stored) {
  const bool loads = kind != EventKind::atomic_store;
  if (loads) {
    if (acquires(order)) {
      acquire(task, object);
    } else if (const SyncEntry* entry = find_sync(object);
               entry != nullptr && entry->released.size > 0) {
      if (FenceClocks* fences = fences_of(task)) {
        join(fences->pending_acquire, entry->released, ClockOf::thread);
        fences->has_pending = true;
      }
    }
  }
  if (!stored) return;
  if (releases(order)) {
    // A read-modify-write continues the release sequence it reads from; a plain store begins a new one.
    kind == EventKind::atomic_store ? release(task, object) : release_join(task, object);
    return;
  }
  FenceClocks* const fences = task.fences;
  if (fences != nullptr && fences->has_released) {
    Clock& released = open(sync_entry(object));
    if (kind == EventKind::atomic_store) released.size = 0;
    join(released, fences->released, ClockOf::object);
  } else if (kind == EventKind::atomic_store) {
    if (SyncEntry* entry = find_sync(object)) open(*entry).size = 0;
  }
}

void order_fence(Task& task, MemoryOrder order) {
  FenceClocks* const fences = fences_of(task);
  if (fences == nullptr) return;
  if (acquires(order) && fences->has_pending) {
    learn(task, fences->pending_acquire);
    fences->has_pending = false;
  }
  if (releases(order)) {
    assign(fences->released, clock_of(task), ClockOf::thread);
    fences->has_released = true;
    tick(task);
  }
}

}  // namespace heddle::controlled
