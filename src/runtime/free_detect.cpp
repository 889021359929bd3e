#include "runtime/free_detect.h"

#include <cerrno>

#include "analysis/effect.h"
#include "base/fixed_vector.h"
#include "runtime/mutex_kind.h"

namespace heddle::runtime {

namespace {

std::uint64_t g_step =
    0;  // of the order in which detectors are shown events, where they are in turn

pthread_t g_handles[kMaxThreads];
bool g_has_handle[kMaxThreads];

constinit thread_local OnceRoutine t_once_routine = nullptr;
constinit thread_local const void* t_once_control = nullptr;
constinit thread_local void* t_once_caller = nullptr;
constinit thread_local const void* t_once_ran = nullptr;

// A once whose routine this thread runs, or ran until that threw.
struct InsideOnce {
  const void* control;
  void* caller;
  const void* frame;  // what the routine calls lies below it
};
// Outermost first; past the capacity an exception goes untold.
constinit thread_local FixedVector<InsideOnce, 4> t_inside_once{};

// An operation that releases is shown before it takes effect, one that acquires after. glibc holds who destroys a
// condition variable up until nobody waits for it: that there were waiters must be seen before.
bool is_shown(EventKind kind, EventPhase phase) {
  if (is_wait(kind) || kind == EventKind::barrier_wait || kind == EventKind::once) return true;
  const bool releases = gives_mutex(kind) || kind == EventKind::rwlock_unlock ||
                        kind == EventKind::sem_post || kind == EventKind::cond_signal ||
                        kind == EventKind::cond_broadcast || kind == EventKind::cond_destroy ||
                        kind == EventKind::thread_create || kind == EventKind::thread_start ||
                        kind == EventKind::thread_exit;
  return releases == (phase == EventPhase::before);
}

Shown shown_of(const ThreadState& thread, const Occurrence& occurrence) {
  Shown shown{occurrence.kind, thread.id, occurrence.object};
  shown.site = site_to_find(occurrence.caller);
  shown.argument = occurrence.argument;
  shown.size = occurrence.size;
  shown.order = occurrence.order;
  return shown;
}

void show_held(Shown& shown) {
  if (!g_tracking_alone) shown.step = __atomic_add_fetch(&g_step, 1, __ATOMIC_RELAXED);
  if (g_detecting) show_detectors(shown);
}

void show_in_turn(Shown& shown) {
  hold_detectors();
  show_held(shown);
  let_detectors_go();
}

void show_once(const void* control, void* caller, EventPhase phase) {
  ThreadState& thread = self();
  if (!g_detecting || thread.in_runtime) return;
  InRuntime guard(thread);
  Shown shown = shown_of(thread, {.kind = EventKind::once, .object = control, .caller = caller});
  shown.phase = phase;
  shown.value = phase == EventPhase::after ? 1 : 0;
  show_in_turn(shown);
}

// The routine may throw, or call pthread_once itself: everything is taken before, and told after. Told here and not when
// pthread_once has returned: another thread may have gone past it by then. Who ran it before and threw did so since this
// thread was shown to come to the once: it is told of that here.
void run_once_routine() {
  const OnceRoutine routine = t_once_routine;
  const InsideOnce inside{t_once_control, t_once_caller, __builtin_frame_address(0)};
  show_once(inside.control, inside.caller, EventPhase::before);
  const std::size_t depth = t_inside_once.size();
  if (!t_inside_once.full()) t_inside_once.push_back(inside);
  routine();
  t_inside_once.resize_down(depth);
  show_once(inside.control, inside.caller, EventPhase::after);
  t_once_ran = inside.control;
}

}  // namespace

void free_detect(ThreadState& thread, const Occurrence& occurrence, EventPhase phase,
                 std::int16_t result) {
  const EventKind kind = occurrence.kind;
  if (is_atomic(kind) || is_plain_access(kind) || !is_shown(kind, phase)) return;
  Shown shown = shown_of(thread, occurrence);
  shown.result = result;
  shown.phase = EventPhase::after;
  if (is_wait(kind) || kind == EventKind::barrier_wait) {
    shown.phase = phase;
  } else if (kind == EventKind::once) {
    shown.phase = phase;
    if (phase == EventPhase::after && t_once_ran == occurrence.object) {
      t_once_ran = nullptr;
      return;  // told by run_once_routine
    }
  } else if (kind >= EventKind::mutex_lock && kind <= EventKind::mutex_timedlock) {
    shown.argument = is_robust(*static_cast<const pthread_mutex_t*>(occurrence.object)) ? 1 : 0;
  } else if (kind == EventKind::mutex_unlock) {
    const auto& mutex = *static_cast<const pthread_mutex_t*>(occurrence.object);
    if (checks_owner(mutex) && mutex.__data.__owner != thread.tid) return;  // it will be refused
  } else if (kind == EventKind::thread_create) {
    shown.argument = occurrence.argument & 0xffff;
    shown.value = occurrence.argument >> 16;
  } else if (kind == EventKind::thread_start || kind == EventKind::thread_exit) {
    shown.argument = thread.id.value;
  }
  show_in_turn(shown);
  if (kind == EventKind::thread_start && thread.stack_size != 0) {
    const auto top = reinterpret_cast<const char*>(thread.stack_top);
    free_detect_fresh(thread, top - thread.stack_size, thread.stack_size);
  }
}

void free_detect_access(ThreadState& thread, const Occurrence& occurrence, EventPhase phase) {
  Shown shown = shown_of(thread, occurrence);
  shown.phase = phase;
  if (!g_tracking) {
    show_in_turn(shown);
  } else if (phase == EventPhase::after) {
    show_tracker(shown);
  }
}

void free_detect_atomic(ThreadState& thread, const Occurrence& occurrence, std::uint64_t value,
                        bool stored) {
  Shown shown = shown_of(thread, occurrence);
  shown.value = value;
  shown.result = stored ? 0 : 1;
  show_held(shown);
}

bool free_detect_mutex_taken(ThreadState& thread, const pthread_mutex_t& mutex, void* caller) {
  if (is_robust(mutex)) return false;
  const InRuntime guard(thread);
  if (!show_mutex_taken(thread.id, &mutex, caller)) return false;
  count_alone(thread);
  return true;
}

bool free_detect_mutex_given(ThreadState& thread, const pthread_mutex_t& mutex) {
  if (checks_owner(mutex)) return false;
  const InRuntime guard(thread);
  if (!show_mutex_given(thread.id, &mutex)) return false;
  count_alone(thread);
  return true;
}

void free_detect_fresh(ThreadState& thread, const void* start, std::size_t size) {
  InRuntime guard(thread);
  Shown shown{EventKind::allocate, thread.id, start};
  shown.site = site_to_find(start);  // the block's own place is kept by the heap registry
  shown.argument = size;
  show_in_turn(shown);
}

// A handle stays with its thread when that was joined, so that a second join is seen, until libc gives it to another one.
void note_handle(ThreadId thread, pthread_t handle) {
  if (thread == kNoThread) {
    for (ThreadId earlier = thread_of_handle(handle); earlier != kNoThread;
         earlier = thread_of_handle(handle)) {
      __atomic_store_n(&g_has_handle[earlier.value], false, __ATOMIC_RELEASE);
    }
    return;
  }
  g_handles[thread.value] = handle;
  __atomic_store_n(&g_has_handle[thread.value], true, __ATOMIC_RELEASE);
}

ThreadId thread_of_handle(pthread_t handle) {
  const std::uint32_t numbered = thread_count() < kMaxThreads ? thread_count() : kMaxThreads;
  for (std::uint32_t i = numbered; i > 0; --i) {
    const std::uint32_t id = i - 1;
    if (!__atomic_load_n(&g_has_handle[id], __ATOMIC_ACQUIRE)) continue;
    if (pthread_equal(g_handles[id], handle) != 0) return ThreadId{static_cast<std::uint16_t>(id)};
  }
  return kNoThread;
}

void once_unwinds() {
  for (const InsideOnce& inside : t_inside_once) {
    show_once(inside.control, inside.caller, EventPhase::after);
  }
}

void once_caught(const void* frame) {
  while (!t_inside_once.empty() && t_inside_once.back().frame < frame) t_inside_once.pop_back();
}

OnceRoutine once_routine(OnceRoutine routine, const void* control, void* caller) {
  t_once_routine = routine;
  t_once_caller = caller;
  t_once_control = control;
  return run_once_routine;
}

}  // namespace heddle::runtime
