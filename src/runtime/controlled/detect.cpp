#include "runtime/controlled/detect.h"

#include "analysis/effect.h"
#include "runtime/coverage.h"
#include "runtime/mutex_kind.h"

namespace heddle::controlled {

namespace {

runtime::Shown shown_of(const Task& self, EventKind kind, const void* object) {
  runtime::Shown shown{kind, self.id, object};
  shown.site = self.pending.site;  // until a caller is known: a place, but no call stack
  shown.step = g_engine.step;
  return shown;
}

}  // namespace

// The short way for mutexes, where nobody but fasttrack looks. False: to be shown as an event.
static bool show_mutex(const Task& self, const Operation& intent) {
  if (takes_mutex(intent.kind)) {
    const bool pthread = intent.kind <= EventKind::mutex_timedlock;
    if (pthread && runtime::is_robust(*static_cast<const pthread_mutex_t*>(intent.object))) {
      return false;
    }
    return runtime::show_mutex_taken(self.id, intent.object, intent.caller);
  }
  return gives_mutex(intent.kind) && runtime::show_mutex_given(self.id, intent.object);
}

void detect_committed(const Task& self, const Operation& intent, std::uint64_t value,
                      std::int16_t result) {
  const EventKind kind = intent.kind;
  if (kind == EventKind::thread_create) return;
  if (runtime::g_tracking_under_control && result == 0 && show_mutex(self, intent)) return;
  runtime::Shown shown = shown_of(self, kind, intent.object);
  if (intent.caller != nullptr) shown.site = runtime::site_to_find(intent.caller);
  shown.value = value;
  shown.argument = intent.argument;
  shown.result = result;
  if (is_wait(kind)) {
    // What follows is seen as the locking of the mutex that ends the wait.
    shown.phase = EventPhase::before;
    shown.argument = intent.wait_value;
  } else if (kind >= EventKind::mutex_lock && kind <= EventKind::mutex_timedlock) {
    if (runtime::is_robust(*static_cast<const pthread_mutex_t*>(intent.object))) shown.argument = 1;
  } else if (kind == EventKind::barrier_wait || kind == EventKind::once) {
    shown.phase = EventPhase::before;
  } else if (kind == EventKind::thread_join || kind == EventKind::thread_detach ||
             kind == EventKind::thread_start || kind == EventKind::thread_exit) {
    const auto* const target = static_cast<const Task*>(intent.object);
    shown.object = nullptr;
    shown.argument = target == nullptr ? kNoThread.value : target->id.value;
  }
  runtime::show_detectors(shown);
}

void detect_arrival(const Task& self, const Operation& intent) {
  if (!takes_mutex(intent.kind) && !takes_shared(intent.kind) && !takes_exclusive(intent.kind)) {
    return;
  }
  Event event{};
  event.step = g_engine.step;
  event.object = ObjectId{reinterpret_cast<std::uint64_t>(intent.object)};
  event.site = self.pending.site;
  event.thread = self.id;
  event.kind = intent.kind;
  event.phase = EventPhase::before;
  event.order = MemoryOrder::none;
  runtime::cover(event);
}

void detect_access(const Task& self, EventPhase phase, const Operation& intent) {
  runtime::Shown shown = shown_of(self, intent.kind, intent.object);
  shown.site = runtime::site_to_find(intent.caller);
  shown.size = intent.size;
  shown.argument = intent.argument;
  shown.phase = phase;
  runtime::show_detectors(shown);
}

void detect_atomic_in_turn(const Task& self, const Operation& atomic, std::uint64_t value,
                           bool stored) {
  runtime::Shown shown = shown_of(self, atomic.kind, atomic.object);
  if (atomic.caller != nullptr) shown.site = runtime::site_to_find(atomic.caller);
  shown.size = atomic.size;
  shown.order = atomic.order;
  shown.value = value;
  shown.result = stored ? 0 : 1;
  runtime::show_detectors(shown);
}

void detect_create(const Task& self, const Task& child, void* caller) {
  runtime::Shown shown = shown_of(self, EventKind::thread_create, nullptr);
  shown.site = runtime::site_to_find(caller);
  shown.argument = child.id.value;
  shown.value = child.detached ? 1 : 0;
  runtime::show_detectors(shown);
}

void detect_wrong_join(const Task& self, const Task& target, void* caller) {
  runtime::Shown shown = shown_of(self, EventKind::thread_join, nullptr);
  shown.site = runtime::site_to_find(caller);
  shown.argument = target.id.value;
  shown.result = EINVAL;
  runtime::show_detectors(shown);
}

void detect_end(const Task& self, EventKind kind, const void* object, std::uint64_t value) {
  runtime::Shown shown = shown_of(self, kind, object);
  shown.value = value;
  runtime::show_detectors(shown);
}

void detect_fresh(const Task& self, const void* start, std::uint64_t size) {
  runtime::Shown shown = shown_of(self, EventKind::allocate, start);
  shown.site = runtime::site_to_find(start);  // the block's own place is kept by the heap registry
  shown.argument = size;
  runtime::show_detectors(shown);
}

}  // namespace heddle::controlled
