// Sleeps, yields and clocks on virtual time.
#include <errno.h>
#include <sys/syscall.h>
#include <time.h>

#include "base/hash.h"
#include "runtime/controlled/cancel.h"
#include "runtime/controlled/clock.h"
#include "runtime/controlled/disturb.h"
#include "runtime/controlled/engine.h"
#include "runtime/controlled/operations.h"
#include "runtime/controlled/passing.h"
#include "runtime/controlled/real_time.h"
#include "runtime/controlled/signal_timers.h"
#include "runtime/controlled/threads.h"
#include "runtime/controlled/timer_descriptors.h"
#include "runtime/controlled/verdict.h"
#include "runtime/controlled/world.h"
#include "runtime/controlled/world_waits.h"
#include "runtime/identity.h"
#include "runtime/mode.h"
#include "runtime/platform/syscall.h"

namespace heddle::controlled {

namespace {

constexpr std::uint64_t kSecond = 1'000'000'000;
// Machines are rarely up for less; programs subtract from monotonic clocks.
constexpr std::uint64_t kMonotonicStart = 100'000 * kSecond;
constexpr std::uint64_t kClockReadNanoseconds = 50;
// Virtual time that passes at a scheduling point, by the number of points since time last jumped: the order of what real
// operations cost. Where threads work until one that sleeps tells them to stop, steps become longer, or no number of steps
// would be enough; as long in the end as they take in a controlled run, and longer.
struct StepLength {
  std::uint64_t until;
  std::uint64_t nanoseconds;
};
constexpr StepLength kStepLengths[] = {{20'000, 100}, {100'000, 1'000}, {400'000, 10'000}};
constexpr std::uint64_t kLongestStep = 100'000;
constexpr std::uint64_t kStepsBetweenLooks = 4096;
// Of a long stretch of work, for those who are passed over meanwhile: nothing that it does concerns them.
constexpr std::uint64_t kStretchEffort = 1000;

// A forked child has the run's alone; before the run there is none yet.
std::uint64_t start_of_wall_clock() {
  const ControlBlock* const of_run = g_engine.control;
  return (of_run != nullptr ? of_run : runtime::g_control)->plan.start_time_ns;
}

std::uint64_t start_of(clockid_t clock) {
  switch (clock) {
    case CLOCK_REALTIME:
    case CLOCK_REALTIME_COARSE:
    case CLOCK_TAI:
      return start_of_wall_clock();
    case CLOCK_PROCESS_CPUTIME_ID:
    case CLOCK_THREAD_CPUTIME_ID:
      return 0;
    default:
      return kMonotonicStart;
  }
}

std::uint64_t g_forked_at;  // on the real clock

timespec real_after(clockid_t clock, std::uint64_t length) {
  timespec at{};
  runtime::raw_syscall(SYS_clock_gettime, clock, reinterpret_cast<long>(&at), 0, 0, 0, 0);
  const std::uint64_t fraction = static_cast<std::uint64_t>(at.tv_nsec) + length % kSecond;
  at.tv_sec += static_cast<time_t>(length / kSecond + fraction / kSecond);
  at.tv_nsec = static_cast<long>(fraction % kSecond);
  return at;
}

std::uint64_t child_now() { return g_engine.now + (real_now() - g_forked_at); }

// What a process has used of the processor, it counts for itself.
bool is_childs(clockid_t clock) {
  return clock >= 0 && clock <= CLOCK_TAI && clock != CLOCK_PROCESS_CPUTIME_ID &&
         clock != CLOCK_THREAD_CPUTIME_ID;
}

}  // namespace

bool g_on_child_clock = false;

void begin_child_clock() {
  g_forked_at = real_now();
  g_on_child_clock = true;
}

bool child_clock_now(clockid_t clock, timespec* now) {
  if (!is_childs(clock) || now == nullptr) return false;
  *now = as_timespec(start_of(clock) + child_now());
  return true;
}

bool child_deadline(clockid_t clock, const timespec* asked, timespec* real) {
  if (!is_childs(clock) || asked == nullptr || !valid(*asked) || asked->tv_sec < 0) return false;
  const std::uint64_t at = virtual_deadline(clock, *asked);
  const std::uint64_t now = child_now();
  *real = real_after(clock, at > now ? at - now : 0);
  return true;
}

bool run_deadline(clockid_t clock, const timespec* asked, timespec* real) {
  if (!is_childs(clock) || asked == nullptr || !valid(*asked) || asked->tv_sec < 0) return false;
  *real = real_deadline(clock, virtual_deadline(clock, *asked));
  return true;
}

void Engine::look_who_waits() {
  somebody_waits = clock_reads > kStepsBetweenLooks / 64 || next_timer() != kNever;
  clock_reads = 0;
  for (std::uint32_t i = live_from; i < task_count && !somebody_waits; ++i) {
    const Task& task = tasks[i];
    somebody_waits =
        task.state == TaskState::live && task.ready != nullptr && task.deadline != kNever;
  }
}

std::uint64_t Engine::step_length() {
  const std::uint64_t busy = step - jumped_at + long_stretches * kStepsBetweenLooks;
  if (busy < kStepLengths[0].until) return kStepLengths[0].nanoseconds;
  if (busy % kStepsBetweenLooks == 0) look_who_waits();
  if (!somebody_waits) return kStepLengths[0].nanoseconds;
  for (const StepLength& length : kStepLengths) {
    if (busy < length.until) return length.nanoseconds;
  }
  return kLongestStep;
}

// From this step to the next at which the length may change, somebody has to look who waits, or a limit is near.
void Engine::begin_even_steps() {
  check_limits(*this);
  step_ns = step_length();
  const std::uint64_t busy = step - jumped_at + long_stretches * kStepsBetweenLooks;
  std::uint64_t even = kStepsBetweenLooks - busy % kStepsBetweenLooks;
  for (const StepLength& length : kStepLengths) {
    if (busy < length.until && length.until - busy < even) even = length.until - busy;
  }
  const std::uint64_t limit = control->plan.step_limit;
  const std::uint64_t to_limit = step < limit ? limit - step : 1;
  even_until = step + (to_limit < even ? to_limit : even);
}

// It counts as so many steps.
void Engine::let_time_pass() {
  even_until = 0;
  ++long_stretches;
  look_who_waits();
  now += kStepsBetweenLooks * step_length();
  stretch_effort += kStretchEffort;
}

void Engine::time_jumped() {
  even_until = 0;
  jumped_at = step;
  long_stretches = 0;
}

std::uint64_t as_nanoseconds(const timespec& time) {
  if (time.tv_sec < 0) return 0;
  const auto seconds = static_cast<std::uint64_t>(time.tv_sec);
  if (seconds > kNever / kSecond - 1) return kNever - 1;
  return seconds * kSecond + static_cast<std::uint64_t>(time.tv_nsec);
}

timespec as_timespec(std::uint64_t nanoseconds) {
  return {static_cast<time_t>(nanoseconds / kSecond), static_cast<long>(nanoseconds % kSecond)};
}

std::uint64_t g_timers_from = kNever;

void run_due_timers() {
  g_timers_from = kNever;  // both say anew
  run_timer_descriptors();
  run_signal_timers();
}

std::uint64_t next_timer() {
  const std::uint64_t descriptor = next_timer_descriptor();
  const std::uint64_t signal = next_signal_timer();
  return descriptor < signal ? descriptor : signal;
}

bool valid(const timespec& time) { return time.tv_nsec >= 0 && time.tv_nsec < 1'000'000'000; }

std::uint64_t virtual_deadline(clockid_t clock, const timespec& absolute) {
  const std::uint64_t at = as_nanoseconds(absolute);
  const std::uint64_t start = start_of(clock);
  return at > start ? at - start : 0;
}

std::uint64_t virtual_after(const timespec& relative) {
  const std::uint64_t length = as_nanoseconds(relative);
  return length > kNever - 1 - g_engine.now ? kNever - 1 : g_engine.now + length;
}

timespec real_deadline(clockid_t clock, std::uint64_t virtual_deadline) {
  return real_after(clock, virtual_deadline > g_engine.now ? virtual_deadline - g_engine.now : 0);
}

static void note_sleep(const Task& self) {
  const SiteId site = self.pending.site;
  for (SleepPlace& known : g_engine.control->outcome.sleeps) {
    if (known.site == site) return;
    if (known.site.value != 0) continue;
    if (is_alone(self)) return;  // such a sleep stands for nothing
    known = {site, runtime::calls_of(runtime::watched_calls())};
    return;
  }
}

int sleep(clockid_t clock, int flags, const timespec* request, timespec* remaining, Caller caller) {
  Task& self = current();
  if (!valid(*request) || request->tv_sec < 0) return EINVAL;
  do_without_passing();
  ++g_engine.control->outcome.controlled_calls;
  act_on_cancellation(self);
  Intent intent{EventKind::sleep};
  intent.caller = caller;
  intent.deadline =
      (flags & TIMER_ABSTIME) != 0 ? virtual_deadline(clock, *request) : virtual_after(*request);
  tamper(self, intent);
  intent.argument = intent.deadline > g_engine.now ? intent.deadline - g_engine.now : 0;
  if (intent.argument == 0) {
    yield(caller);
    return 0;
  }
  intent.ready = never_ready;
  intent.interruption = Interruption::always;
  if (sleeps_for_child(self, caller)) begin_sleep_for_child(self, intent);
  self.cancellation_point = true;
  g_engine.point(self, intent);
  self.cancellation_point = false;
  end_world_wait(self);
  note_sleep(self);
  const int error = self.interrupted ? EINTR : 0;
  g_engine.commit(self, intent, 0, static_cast<std::int16_t>(error), false);
  act_on_cancellation(self);
  if (error != 0 && remaining != nullptr && (flags & TIMER_ABSTIME) == 0) {
    *remaining = as_timespec(intent.deadline > g_engine.now ? intent.deadline - g_engine.now : 0);
  }
  return error;
}

void yield(Caller caller) {
  Task& self = current();
  Intent intent{EventKind::yield};
  intent.caller = caller;
  intent.yields = true;
  self.gives_way = true;
  shorten_holds();
  g_engine.point(self, intent);
  g_engine.commit(self, intent, 0, 0, false);
}

bool clock_before_run(clockid_t clock, timespec* now) {
  constexpr std::uint64_t kLongestLeap = 1'000'000;
  static std::uint64_t leap = kClockReadNanoseconds;
  if (clock < 0 || clock > CLOCK_TAI) return false;
  g_engine.now += leap;
  if (leap < kLongestLeap) leap *= 2;
  *now = as_timespec(start_of(clock) + g_engine.now);
  return true;
}

void sleep_before_run(clockid_t clock, int flags, const timespec& request) {
  const std::uint64_t until =
      (flags & TIMER_ABSTIME) != 0 ? virtual_deadline(clock, request) : virtual_after(request);
  if (until > g_engine.now) g_engine.now = until;
}

static bool counts_work(clockid_t clock) {
  return clock == CLOCK_PROCESS_CPUTIME_ID || clock == CLOCK_THREAD_CPUTIME_ID;
}

// Sleeps and stalls take none of it.
static std::uint64_t worked(clockid_t clock) {
  if (clock == CLOCK_THREAD_CPUTIME_ID) return current().worked_ns;
  std::uint64_t sum = 0;
  for (std::uint32_t i = 0; i < g_engine.task_count; ++i) sum += g_engine.tasks[i].worked_ns;
  return sum;
}

static void look_at_clock(Caller caller) {
  Task& self = current();
  self.worked_ns += kClockReadNanoseconds;
  g_engine.now += kClockReadNanoseconds;
  ++g_engine.clock_reads;
  self.polled_clock = true;
  note_poll(self, combine(reinterpret_cast<std::uint64_t>(caller), 0x636c6f636bULL) | 1);
  if (self.polling.goes_on()) {
    Intent intent{EventKind::clock_read};
    intent.caller = caller;
    intent.yields = true;
    g_engine.point(self, intent);
  }
}

bool clock_now(clockid_t clock, timespec* now, Caller caller) {
  if (clock < 0 || clock > CLOCK_TAI) return false;
  look_at_clock(caller);
  *now = as_timespec(counts_work(clock) ? worked(clock) : start_of(clock) + g_engine.now);
  return true;
}

std::uint64_t nanoseconds_now(Caller caller) {
  look_at_clock(caller);
  return nanoseconds_at_a_glance();
}

std::uint64_t nanoseconds_at_a_glance() { return kMonotonicStart + g_engine.now; }

}  // namespace heddle::controlled
