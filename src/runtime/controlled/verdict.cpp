#include "runtime/controlled/verdict.h"

#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "runtime/controlled/clock.h"
#include "runtime/controlled/disturb.h"
#include "runtime/controlled/other_processes.h"
#include "runtime/controlled/outside.h"
#include "runtime/controlled/passing.h"
#include "runtime/controlled/real_time.h"
#include "runtime/controlled/timer_functions.h"
#include "runtime/controlled/world.h"
#include "runtime/controlled/world_waits.h"
#include "runtime/detection.h"
#include "runtime/platform/syscall.h"
#include "runtime/platform/text.h"

namespace heddle::controlled {

using runtime::raw_syscall;

namespace {

// Steps without any change, everybody polling, before it is called a livelock.
constexpr std::uint64_t kIdleStepsBeforeLivelock = 100'000;
// The same with kPlanShortIdle. The difference has many divisors, so that threads that poll in turn stand where they would.
constexpr std::uint64_t kShortIdleSteps = 1'720;
// Under a fair order a program gets this share of its limit again before the verdict.
constexpr std::uint64_t kFairTailDivisor = 4;

// Of such steps, how many between two questions whether somebody acts whom the engine does not see. A child is more likely.
constexpr std::uint64_t kStepsBetweenQuestions = 1024;
constexpr std::uint64_t kStepsBetweenChildren = 16;

// Of the clock, while everybody polls it.
constexpr std::uint64_t kLongestLeap = 10'000'000;

constexpr int kExitAfterVerdict = 86;

// Somebody whom the engine does not see may change what everybody polls.
bool g_unseen_act;

bool polls_clock(const Task& task) { return task.pending.kind == EventKind::clock_read; }

}  // namespace

void end_run(Verdict verdict) {
  runtime::end_detection(false);
  Engine& engine = g_engine;
  RunOutcome& outcome = engine.control->outcome;
  outcome.steps = engine.step;
  outcome.virtual_ns = engine.now;
  outcome.verdict = verdict;
  end_noise();
  do_without_passing();
  if ((engine.control->plan.flags & kPlanStopAtFailure) != 0) {
    raw_syscall(SYS_tgkill, raw_syscall(SYS_getpid, 0, 0, 0, 0, 0, 0),
                raw_syscall(SYS_gettid, 0, 0, 0, 0, 0, 0), SIGTRAP, 0, 0, 0);
  }
  exit_after_verdict();
}

void exit_after_verdict() { runtime::raw_exit(kExitAfterVerdict); }

void end_at_own_limit(const char* what) {
  RunOutcome& outcome = g_engine.control->outcome;
  runtime::TextBuilder(outcome.internal_error, sizeof outcome.internal_error).add(what);
  end_run(Verdict::internal_error);
}

void check_limits(Engine& engine) {
  const std::uint64_t limit = engine.control->plan.step_limit;
  if (engine.step < limit) return;
  engine.fair = true;
  if (engine.step < limit + limit / kFairTailDivisor) return;
  RunOutcome& outcome = engine.control->outcome;
  if (outcome.blocked_count == 0 && outcome.blocked[0].in_forked_child != 0) {
    outcome.blocked_count = 1;  // what it asked after so often is a child that waits for ever
    end_run(Verdict::deadlock);
  }
  end_run(Verdict::step_limit);
}

void note_poll(Task& task, std::uint64_t key, std::uint64_t state) {
  task.polling.look(key, g_engine.changes, state);
}

void note_progress(Task& task) {
  task.polling.forget();
  task.polled_clock = false;
  task.gives_way = false;
}

static bool some_poll_shared_memory(const Engine& engine) {
  for (const PendingOperation& candidate : engine.candidates) {
    if (others_share(engine.tasks[candidate.thread.value].wait_object)) return true;
  }
  return false;
}

// What is polled may come from another process or the kernel, from a child, or from a thread that libc made. Early where the clock is
// polled, because time leaps then.
static bool unseen_may_change(const Engine& engine, bool clock) {
  const std::uint64_t polls = engine.idle_polls;
  const bool early = clock && polls == kStepsBetweenChildren;
  if ((polls % kStepsBetweenChildren == 0 || (clock && polls == 1)) && child_runs()) return true;
  if (polls % kStepsBetweenQuestions != 0 && !early) return false;
  return has_unseen_threads() || some_poll_shared_memory(engine);
}

// It gets on, by work that nobody sees. Who looks at the clock or gives way waits for time or for others, however it counts.
static bool works_unseen(const Task& task) {
  return task.polling.moves() && !task.polled_clock && !polls_clock(task) && !task.gives_way;
}

static bool some_work_unseen(const Engine& engine) {
  for (const PendingOperation& candidate : engine.candidates) {
    if (works_unseen(engine.tasks[candidate.thread.value])) return true;
  }
  return false;
}

// The earliest of `target` and whatever somebody waits for.
static std::uint64_t up_to_next_timer(const Engine& engine, std::uint64_t target) {
  const std::uint64_t timer = next_timer();
  if (timer > engine.now && timer < target) target = timer;
  for (std::uint32_t i = engine.live_from; i < engine.task_count; ++i) {
    const Task& task = engine.tasks[i];
    if (task.state == TaskState::live && task.ready != nullptr && task.deadline > engine.now &&
        task.deadline < target) {
      target = task.deadline;
    }
  }
  return target;
}

// Who polls finds nothing new before they have got on.
static void let_them_work(Engine& engine) {
  std::size_t kept = 0;
  for (const PendingOperation& candidate : engine.candidates) {
    const Task& task = engine.tasks[candidate.thread.value];
    if (works_unseen(task) || insists(task)) engine.candidates[kept++] = candidate;
  }
  engine.candidates.resize_down(kept);
}

// While one works unseen and all others wait: what it does takes time, ever more of it for each look, so that who sleeps until it may stop
// wakes up at last.
static void let_work_take_time(Engine& engine) {
  struct Length {
    std::uint64_t until;
    std::uint64_t nanoseconds;
  };
  constexpr Length kLengths[] = {{2'000, 1'000}, {20'000, 10'000}, {kNever, 100'000}};
  std::uint64_t length = 0;
  for (const Length& step : kLengths) {
    length = step.nanoseconds;
    if (engine.idle_polls < step.until) break;
  }
  engine.now = up_to_next_timer(engine, engine.now + length);
}

// Gives those who may bring what is polled a little real time. True if they act in real time, which virtual time must not outrun.
static bool waits_for_others(Engine& engine, bool clock) {
  const bool outside = somebody_outside();
  const bool unseen = !outside && unseen_may_change(engine, clock);
  const bool asked = engine.idle_polls % kStepsBetweenChildren == 0;
  if (outside || unseen || asked) g_unseen_act = unseen;  // holds until the next question
  if (outside || unseen) {
    const timespec pause{0, 50'000};
    raw_syscall(SYS_nanosleep, reinterpret_cast<long>(&pause), 0, 0, 0, 0, 0);
    engine.idle_polls = engine.still_since = 0;
    ask_for_room();
  }
  const bool in_real_time = outside ? somebody_acts_in_real_time() : g_unseen_act;
  if (!in_real_time) end_of_pace();
  return in_real_time;
}

bool everybody_polls(Engine& engine) {
  bool clock = false;
  for (const PendingOperation& candidate : engine.candidates) {
    const Task& task = engine.tasks[candidate.thread.value];
    if (!task.polling.in_vain(engine.changes)) {
      engine.idle_polls = engine.still_since = 0;
      engine.clock_leap = 0;
      g_unseen_act = false;
      end_of_pace();
      return false;
    }
    clock = clock || polls_clock(task) || task.polled_clock;
  }
  ++engine.idle_polls;
  if (waits_for_others(engine, clock)) {
    const std::uint64_t passed = real_time_passed();
    engine.now =
        up_to_next_timer(engine, engine.now + (passed < kLongestLeap ? passed : kLongestLeap));
    // Steps do not become longer meanwhile (time.cpp), or they would outrun it.
    engine.jumped_at = engine.step;
    engine.long_stretches = 0;
    engine.clock_leap = 0;
    return false;
  }
  if (some_work_unseen(engine)) {
    engine.still_since = engine.idle_polls;
    let_work_take_time(engine);
    let_them_work(engine);
    return false;
  }
  if (clock) {
    // Ever longer, so that waiting for a second by polling takes few steps; never past somebody's timer.
    engine.clock_leap = engine.clock_leap == 0 ? 1000 : engine.clock_leap * 2;
    if (engine.clock_leap > kLongestLeap) engine.clock_leap = kLongestLeap;
    engine.now = up_to_next_timer(engine, engine.now + engine.clock_leap);
    return false;
  }
  const bool known = (engine.control->plan.flags & kPlanShortIdle) != 0;
  if (engine.idle_polls - engine.still_since >
      (known ? kShortIdleSteps : kIdleStepsBeforeLivelock)) {
    const Task& task = engine.tasks[engine.candidates[0].thread.value];
    RunOutcome& outcome = engine.control->outcome;
    outcome.livelock_object = task.pending.object;
    outcome.livelock_site = task.pending.site;
    outcome.livelock_calls = runtime::calls_of(task.calls);
    outcome.livelock_thread = task.id;
    describe_blocked();
    end_run(Verdict::livelock);
  }
  return true;
}

bool nobody_left(const Engine& engine) {
  for (std::uint32_t i = engine.live_from; i < engine.task_count; ++i) {
    if (engine.tasks[i].state == TaskState::live || engine.tasks[i].state == TaskState::outside) {
      return false;
    }
  }
  return true;
}

static void describe_those(bool (*is_meant)(const Task&)) {
  Engine& engine = g_engine;
  RunOutcome& outcome = engine.control->outcome;
  outcome.blocked_count = 0;
  for (std::uint32_t i = engine.live_from; i < engine.task_count; ++i) {
    const Task& task = engine.tasks[i];
    if (task.state != TaskState::live || outcome.blocked_count == kMaxBlockedThreads) continue;
    if (waits_for_call(task) || !is_meant(task)) continue;
    BlockedThread& blocked = outcome.blocked[outcome.blocked_count++];
    blocked = {};
    blocked.thread = task.id;
    blocked.holder = kNoThread;
    blocked.waiting_in = task.pending.kind;
    blocked.object = task.pending.object;
    blocked.site = task.pending.site;
    blocked.calls = runtime::calls_of(task.calls);
    if (task.pending.kind == EventKind::thread_join) {
      blocked.holder = ThreadId{static_cast<std::uint16_t>(task.wait_value)};
      continue;
    }
    for (std::uint32_t j = 0; j < engine.task_count; ++j) {
      for (const HeldLock& held : engine.tasks[j].held) {
        if (held.lock != task.wait_object) continue;
        blocked.holder = engine.tasks[j].id;
        blocked.holder_site = held.site;
      }
    }
  }
}

// Who waits for what, and who holds it.
void describe_blocked() {
  describe_those([](const Task&) { return true; });
}

// The locks that they wait for, one after the other, lead back to the first.
static bool is_in_circle(const RunOutcome& outcome, const BlockedThread& first) {
  const BlockedThread* at = &first;
  for (unsigned steps = 0; steps < outcome.blocked_count; ++steps) {
    const BlockedThread* next = nullptr;
    for (unsigned i = 0; i < outcome.blocked_count; ++i) {
      const BlockedThread& other = outcome.blocked[i];
      const bool holds = other.thread == at->holder && other.waiting_in != EventKind::thread_join;
      if (holds && at->holder_site.value != 0) next = &other;
    }
    if (next == nullptr) return false;
    if (next == &first) return true;
    at = next;
  }
  return false;
}

bool note_circle() {
  describe_those([](const Task& task) {
    return task.ready != nullptr && task.deadline == kNever && !enabled_now(task);
  });
  RunOutcome& outcome = g_engine.control->outcome;
  for (unsigned i = 0; i < outcome.blocked_count; ++i) {
    if (is_in_circle(outcome, outcome.blocked[i])) return true;
  }
  outcome.blocked_count = 0;
  return false;
}

bool wakes_blocked() {
  Engine& engine = g_engine;
  if ((engine.control->plan.flags & kPlanWakeBlocked) == 0 || engine.woke_blocked) return false;
  engine.woke_blocked = true;
  bool woken = false;
  for (std::uint32_t i = engine.live_from; i < engine.task_count; ++i) {
    Task& task = engine.tasks[i];
    const EventKind kind = task.pending.kind;
    const bool waits = kind == EventKind::cond_wait || kind == EventKind::cond_timedwait ||
                       kind == EventKind::futex_wait;
    if (task.state != TaskState::live || task.ready == nullptr || !waits) continue;
    task.notified = true;
    woken = true;
  }
  return woken;
}

void judge_blocked() {
  describe_blocked();
  end_run(Verdict::deadlock);
}

void record_width(Engine& engine, const SchedulePoint& point) {
  ControlBlock& control = *engine.control;
  if (engine.step >= kWidthCapacity) {
    ++control.outcome.decisions_dropped;
    return;
  }
  const std::size_t count =
      point.candidates.size() < kWidthMask ? point.candidates.size() : kWidthMask;
  control.widths[engine.step] =
      static_cast<std::uint8_t>(count | (point.current_yields ? kWidthYields : 0) |
                                (point.current_can_run ? 0 : kWidthBlocked));
}

}  // namespace heddle::controlled
