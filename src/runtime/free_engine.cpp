#include "runtime/free_engine.h"

#include <cerrno>
#include <new>

#include "base/check.h"
#include "noise/mixer.h"
#include "runtime/access.h"
#include "runtime/call_stack.h"
#include "runtime/carry_out.h"
#include "runtime/controlled/clock.h"
#include "runtime/free_detect.h"
#include "runtime/identity.h"
#include "runtime/platform/futex.h"
#include "runtime/platform/memory.h"
#include "runtime/platform/syscall.h"
#include "runtime/thread_path.h"

namespace heddle::runtime {

bool g_events_pass = false;

namespace {

constinit NoiseMixer g_mixer;
bool g_record = false;
bool g_somebody_looks = false;     // else events are counted and nothing more
bool g_countdown_decides = false;  // noise looks, and nobody else

// What this thread owes the mixer and the outcome. Zero is a new thread.
struct FreeThread {
  ThreadNoise* noise;       // null until asked for
  std::uint64_t granted;    // accesses the fast path may let pass before it comes back
  std::uint64_t counted;    // events already added to the outcome
  std::uint64_t disturbed;  // disturbances already added
};
constinit thread_local FreeThread t_free{};

// Large: in thread-local storage it would cost every thread of every program a page.
constinit ThreadNoise g_spare_noise{};  // where memory is refused: noise is then less even
struct UnusedNoise {
  UnusedNoise* next;
};
UnusedNoise* g_unused_noise = nullptr;  // of threads that have ended
constinit FutexLock g_unused_lock;

ThreadNoise* take_noise() {
  g_unused_lock.lock();
  UnusedNoise* const unused = g_unused_noise;
  if (unused != nullptr) g_unused_noise = unused->next;
  g_unused_lock.unlock();
  if (unused != nullptr) return ::new (unused) ThreadNoise{};
  return static_cast<ThreadNoise*>(allocate_forever(sizeof(ThreadNoise)));
}

ThreadNoise& own_noise() {
  if (t_free.noise == nullptr) [[unlikely]] {
    t_free.noise = take_noise();
    if (t_free.noise == nullptr) t_free.noise = &g_spare_noise;
  }
  return *t_free.noise;
}

// How many events a crash may leave uncounted, per thread.
constexpr std::uint64_t kCountEvery = 4096;

void record(const Event& event) {
  const std::uint64_t place = __atomic_fetch_add(&g_control->trace_count, 1, __ATOMIC_RELAXED);
  g_control->trace[place % kTraceCapacity] = event;
}

// Takes the countdown back from the fast path: accesses that passed are events, what is left goes back to the mixer.
// Where every access is looked at, the stubs have counted them below 0.
void settle(ThreadState& thread) {
  FastState& fast = heddle_fast_state_v6;
  if (t_free.granted == 0) {
    if (fast.skip >= 0) return;
    thread.event_count += static_cast<std::uint64_t>(-fast.skip);
    fast.skip = 0;
    return;
  }
  const std::uint64_t left = fast.skip > 0 ? static_cast<std::uint64_t>(fast.skip) : 0;
  thread.event_count += t_free.granted - left;
  g_mixer.put_back(own_noise(), left);
  t_free.granted = 0;
  fast.skip = 0;
}

// Placements that follow calls are told of them before the event that comes next.
void show_calls(ThreadState& thread) {
  Event event{};
  event.step = thread.event_count;
  event.thread = thread.id;
  event.order = MemoryOrder::none;
  catch_up_with_calls(
      [&] {
        event.kind = EventKind::function_exit;
        g_mixer.at(event, own_noise(), thread.prng);
      },
      [&](void* call_site) {
        event.kind = EventKind::function_enter;
        event.site = site_of(call_site);
        g_mixer.at(event, own_noise(), thread.prng);
      });
}

// Lets noise act on the calling thread.
template <class Act>
void let_act(Act&& act) {
  Budget* const budget = g_mixer.budget();
  if (budget != nullptr) budget->noise_begins();
  act();
  if (budget != nullptr) budget->noise_ends();
}

void show(ThreadState& thread, const Occurrence& occurrence, EventPhase phase,
          std::int16_t result) {
  if (!g_record && g_mixer.passes(occurrence.kind, phase, own_noise())) return;
  if (g_mixer.needs_functions()) show_calls(thread);
  Event event{};
  event.step = thread.event_count;
  event.object = object_of(occurrence.object);
  event.site = site_of(occurrence.caller);
  event.argument = occurrence.argument;
  if (is_condition_wait(occurrence.kind)) {
    event.argument = object_of(reinterpret_cast<const void*>(occurrence.argument)).value;
  }
  event.thread = thread.id;
  event.kind = occurrence.kind;
  event.phase = phase;
  event.size = occurrence.size;
  event.order = occurrence.order;
  event.result = result;
  if (g_record) record(event);
  // The first thread alone has nobody to come between.
  if (!g_multithreaded || !g_mixer.looks_at(phase)) return;
  const Disturbance disturbance = g_mixer.at(event, own_noise(), thread.prng);
  if (!disturbance) return;
  let_act([&] { carry_out(disturbance, thread, occurrence.object); });
}

}  // namespace

void begin_free_run() {
  const RunPlan& plan = g_control->plan;
  g_record = (plan.flags & kPlanRecordTrace) != 0;
  Prng prng(thread_seed(plan.seed, 0));
  check(g_mixer.begin_run(plan.noise, monotonic_ns, prng),
        "the runtime knows the noise it is given");
  g_mixer.learn({g_control->known_lessons, plan.lesson_count});
  const bool noise_looks =
      g_mixer.looks_at(EventPhase::before) || g_mixer.looks_at(EventPhase::after);
  g_somebody_looks = g_record || noise_looks || plan.detectors != 0;
  g_events_pass = !g_record && !noise_looks;
  g_countdown_decides = g_mixer.counts_alone() && !g_record && plan.detectors == 0;
  // Noise that may fall anywhere asks for no object.
  g_note_heap = plan.level == Level::memory && (g_record || g_mixer.looks_at_all());
}

void begin_free_thread() {
  // Detectors know nothing of threads without a number.
  const bool watched = g_detecting && current_thread().id != kNoThread;
  if (g_mixer.needs_functions() || watched) keep_call_stack();
}

void give_free_thread_back() {
  ThreadNoise* const noise = t_free.noise;
  if (noise == nullptr || noise == &g_spare_noise) return;
  // Its last events, if there are more, are without noise of their own.
  t_free.noise = &g_spare_noise;
  t_free.disturbed = g_spare_noise.disturbed;
  auto* const unused = reinterpret_cast<UnusedNoise*>(noise);
  g_unused_lock.lock();
  unused->next = g_unused_noise;
  g_unused_noise = unused;
  g_unused_lock.unlock();
}

std::int64_t free_countdown(ThreadState& thread) {
  if (g_record || g_detecting_memory) return 0;
  const std::uint64_t gap = g_mixer.gap(own_noise(), thread.prng);
  t_free.granted = gap < static_cast<std::uint64_t>(kPassAll) ? gap : 0;
  return t_free.granted == gap ? static_cast<std::int64_t>(gap) : kPassAll;
}

// An event that is only to be counted is counted where the accesses are: see access.h in fast/.
static bool passes_counted(EventKind kind) {
  if (!g_countdown_decides || __atomic_load_n(&g_inverse_owner, __ATOMIC_RELAXED) != 0)
    return false;
  if (!is_concurrent(kind)) return true;
  FastState& fast = heddle_fast_state_v6;
  if (t_free.granted == 0 || fast.skip <= 0) return false;
  --fast.skip;
  return true;
}

bool free_engine_wants(EventKind kind) {
  ThreadState& thread = current_thread();
  if (g_engine != EngineKind::free || thread.in_runtime) return false;
  if (is_plain_access(kind) && g_level != Level::memory) return false;
  if (is_atomic(kind) && g_level == Level::sync) return false;
  if (passes_counted(kind)) return false;
  if (!g_somebody_looks) ++thread.event_count;
  return g_somebody_looks;
}

void free_event(const Occurrence& occurrence, EventPhase phase, std::int16_t result) {
  ThreadState& thread = self();
  if (g_events_pass) {
    const InRuntime guard(thread);
    if (phase == EventPhase::before) count_free_event(thread);
    if (g_detecting) free_detect(thread, occurrence, phase, result);
    return;
  }
  const int saved = errno;
  {
    InRuntime guard(thread);
    settle(thread);
    if (phase == EventPhase::before) ++thread.event_count;
    if (g_inverse_owner != 0) {
      let_act([&] { give_way(thread); });
    }
    if (g_detecting) free_detect(thread, occurrence, phase, result);
    if (g_record || g_mixer.looks_at(phase)) show(thread, occurrence, phase, result);
    if (thread.event_count - t_free.counted >= kCountEvery) add_counts(thread);
    refresh_fast_state(thread);
  }
  errno = saved;
}

void count_free_event(ThreadState& thread) {
  settle(thread);
  ++thread.event_count;
  if (thread.event_count - t_free.counted >= kCountEvery) add_counts(thread);
}

void free_access(ThreadState& thread, const Occurrence& occurrence) {
  const int saved = errno;
  {
    InRuntime guard(thread);
    if (t_free.granted != 0) ++thread.event_count;  // else settle counts this one, too
    settle(thread);
    if (g_inverse_owner != 0) {
      let_act([&] { give_way(thread); });
    }
    if (!g_detecting_memory) {
      show(thread, occurrence, g_mixer.access_phase(), 0);
    } else if (!g_events_pass) {
      // Noise keeps the access open: a detector that looks for overlaps is told of both ends.
      free_detect_access(thread, occurrence, EventPhase::before);
      show(thread, occurrence, g_mixer.access_phase(), 0);
      free_detect_access(thread, occurrence, EventPhase::after);
    } else {
      free_detect_access(thread, occurrence, EventPhase::after);
    }
    if (thread.event_count - t_free.counted >= kCountEvery) add_counts(thread);
    refresh_fast_state(thread);
  }
  errno = saved;
}

void show_begin_or_end(const Occurrence& occurrence, std::int16_t result) {
  if (!under_control()) return;
  const ThreadState& thread = current_thread();
  Shown shown{occurrence.kind, thread.id, occurrence.object};
  shown.site = site_to_find(occurrence.caller);
  shown.result = result;
  show_detectors(shown);
}

std::uint64_t free_timeout(std::uint64_t nanoseconds) {
  if (g_engine != EngineKind::free || !g_mixer.active()) return nanoseconds;
  return g_mixer.shorten(nanoseconds, self().prng);
}

namespace {

constexpr std::int64_t kSecond = 1'000'000'000;

// What is no time at all is the kernel's to refuse; what is this far away is as good as for ever.
bool can_shorten(const timespec* time) {
  constexpr time_t kFarthest = time_t{1} << 32;
  return time != nullptr && time->tv_sec >= 0 && time->tv_sec < kFarthest && time->tv_nsec >= 0 &&
         time->tv_nsec < kSecond && g_engine == EngineKind::free && g_mixer.tampers() &&
         !current_thread().in_runtime;
}

timespec plus(const timespec& time, std::uint64_t nanoseconds) {
  const std::int64_t sum = time.tv_nsec + static_cast<std::int64_t>(nanoseconds);
  return {time.tv_sec + sum / kSecond, sum % kSecond};
}

}  // namespace

TamperedTime TamperedTime::lasting(const timespec* length) {
  TamperedTime tampered;
  tampered.asked_ = length;
  if (!can_shorten(length)) return tampered;
  const auto asked = static_cast<std::uint64_t>(length->tv_sec * kSecond + length->tv_nsec);
  tampered.time_ = plus({}, free_timeout(asked));
  tampered.changed_ = true;
  return tampered;
}

TamperedTime TamperedTime::honest(clockid_t clock, const timespec* deadline) {
  TamperedTime honest;
  honest.asked_ = deadline;
  if (controlled::g_on_child_clock) {
    honest.changed_ = controlled::child_deadline(clock, deadline, &honest.time_);
  } else if (runtime::controlled() && current_thread().has_control) {
    honest.changed_ = controlled::run_deadline(clock, deadline, &honest.time_);
  }
  return honest;
}

TamperedTime TamperedTime::until(clockid_t clock, const timespec* deadline) {
  TamperedTime tampered = honest(clock, deadline);
  timespec now{};
  if (!can_shorten(deadline) || raw_syscall(SYS_clock_gettime, clock, as_word(&now)) != 0) {
    return tampered;
  }
  const std::int64_t left =
      (deadline->tv_sec - now.tv_sec) * kSecond + deadline->tv_nsec - now.tv_nsec;
  if (left <= 0) return tampered;
  tampered.time_ = plus(now, free_timeout(static_cast<std::uint64_t>(left)));
  tampered.changed_ = true;
  return tampered;
}

void end_free_run() {
  if (g_engine != EngineKind::free || !g_mixer.active()) return;
  const std::size_t taught = g_mixer.teach(g_control->lessons);
  g_control->lesson_count = taught < kLessonCapacity ? taught : kLessonCapacity;
}

void add_counts(ThreadState& thread) {
  RunOutcome& outcome = g_control->outcome;
  __atomic_fetch_add(&outcome.events, thread.event_count - t_free.counted, __ATOMIC_RELAXED);
  t_free.counted = thread.event_count;
  const std::uint64_t disturbed = own_noise().disturbed;
  __atomic_fetch_add(&outcome.disturbances, disturbed - t_free.disturbed, __ATOMIC_RELAXED);
  t_free.disturbed = disturbed;
  if (thread.id != kNoThread) g_control->threads[thread.id.value].points = thread.event_count;
}

}  // namespace heddle::runtime
