#include "runtime/controlled/passing.h"

#include <errno.h>
#include <linux/futex.h>
#include <time.h>

#include "base/hash.h"
#include "runtime/controlled/engine.h"
#include "runtime/controlled/forked_child.h"
#include "runtime/controlled/operations.h"
#include "runtime/controlled/other_processes.h"
#include "runtime/controlled/signal_queue.h"
#include "runtime/controlled/signal_timers.h"
#include "runtime/controlled/threads.h"
#include "runtime/controlled/verdict.h"
#include "runtime/platform/syscall.h"

namespace heddle::controlled {

using runtime::as_word;
using runtime::raw_syscall;

bool g_passing_undecided = false;

namespace {

// A parent that waits does so some microseconds after the fork.
constexpr timespec kUntilRefused{0, 100'000'000};

bool g_considered;          // the fork that goes on now may pass control
bool g_had_other_children;  // before it
unsigned g_level;           // how often control has passed to come to this process
bool g_waits_for_child;     // and that may have control

PassedControl& passed(unsigned level) { return g_engine.control->passed[level]; }

bool change(PassedControl& passing, std::uint32_t from, std::uint32_t to) {
  return __atomic_compare_exchange_n(&passing.state, &from, to, false, __ATOMIC_SEQ_CST,
                                     __ATOMIC_SEQ_CST);
}

void tell_child(std::uint32_t what) {
  PassedControl& passing = passed(g_level);
  if (change(passing, kPassingUndecided, what)) {
    raw_syscall(SYS_futex, as_word(&passing.state), FUTEX_WAKE, 1);
  }
}

bool has_ended(pid_t process) {
  const ProcessState state = state_of(process, process);
  return state == ProcessState::ended || state == ProcessState::gone;
}

// A thread that nobody has joined, or a lock that is held, is the parent's to see to: at the child's end it would be missing.
bool has_nothing_open(const Task& self) {
  for (std::uint32_t i = 1; i < g_engine.task_count; ++i) {
    const Task& task = g_engine.tasks[i];
    if (task.state != TaskState::unused && !task.joined && !task.detached) return false;
  }
  return self.held.empty();
}

// What this process has to know of what another did for the run.
void catch_up(Task& self, const PassedControl& passing) {
  Engine& engine = g_engine;
  const RunOutcome& outcome = engine.control->outcome;
  if (outcome.steps > engine.step) engine.step = outcome.steps;
  engine.even_until = 0;
  if (outcome.virtual_ns > engine.now) engine.now = outcome.virtual_ns;
  runtime::skip_thread_numbers(outcome.thread_count);
  const std::uint32_t threads = runtime::thread_count();
  engine.task_count = threads < kMaxThreads ? threads : kMaxThreads;
  // What identifies its next points and threads must be new, also where the other one was killed.
  self.points = passing.points != 0 ? passing.points : engine.step;
  self.thread->children =
      static_cast<std::uint16_t>(passing.points != 0 ? passing.children : threads);
  if (engine.replay != nullptr) engine.replay->skip_to(engine.step);
}

void run_as(const Task& self) {
  const long process = g_level != 0 ? raw_syscall(SYS_getpid) : 0;
  __atomic_store_n(&g_engine.control->process_in_control, static_cast<std::int32_t>(process),
                   __ATOMIC_SEQ_CST);
  __atomic_store_n(&g_engine.control->running_tid, static_cast<std::uint32_t>(self.tid),
                   __ATOMIC_RELAXED);
}

}  // namespace

void consider_passing(const Task& self) {
  g_had_other_children = g_engine.has_children;
  g_considered = g_level < kMostPassings && self.id.value == 0 && is_alone(self) &&
                 has_nothing_open(self) && g_engine.exempt_threads == 0 &&
                 g_engine.control->outcome.verdict == Verdict::none && !has_child_now();
  if (g_considered) {
    __atomic_store_n(&passed(g_level).state, kPassingUndecided, __ATOMIC_SEQ_CST);
  }
}

void begin_passing(pid_t child) {
  g_passing_undecided = g_considered && child > 0;
  g_considered = false;
}

void refuse_child() {
  g_passing_undecided = false;
  tell_child(kPassingRefused);
}

bool take_control_in_child() {
  const bool considered = g_considered;
  g_considered = false;
  g_passing_undecided = false;
  if (!considered) return false;
  PassedControl& passing = passed(g_level);
  // The kernel's time-out ends one futex wait; whatever ends it earlier is looked at.
  while (__atomic_load_n(&passing.state, __ATOMIC_SEQ_CST) == kPassingUndecided) {
    const long ended = raw_syscall(SYS_futex, as_word(&passing.state), FUTEX_WAIT,
                                   kPassingUndecided, as_word(&kUntilRefused));
    if (ended == -ETIMEDOUT) change(passing, kPassingUndecided, kPassingRefused);
  }
  const auto process = static_cast<std::uint32_t>(raw_syscall(SYS_getpid));
  if (!change(passing, kPassingOffered, kPassingTaken | process)) return false;
  Task& self = current();
  self.tid = self.thread->tid = static_cast<pid_t>(raw_syscall(SYS_gettid));
  forget_fork();
  forget_signal_queue();
  forget_signal_timers();
  catch_up(self, passing);
  passing.points = 0;
  g_engine.has_children = g_had_other_children;
  ++g_level;
  run_as(self);
  return true;
}

bool may_pass_control() { return g_passing_undecided; }

void offer_control() {
  const Task& self = current();
  PassedControl& passing = passed(g_level);
  passing.points = self.points;
  passing.children = self.thread->children;
  passing.has_timers = has_signal_timers() ? 1 : 0;
  g_engine.control->outcome.steps = g_engine.step;
  g_engine.control->outcome.virtual_ns = g_engine.now;
  __atomic_store_n(&g_engine.control->running_tid, 0u, __ATOMIC_RELAXED);
  lend_timers_to_kernel();
  g_passing_undecided = false;
  g_waits_for_child = true;
  tell_child(kPassingOffered);
}

bool is_waiting_for_child() { return g_waits_for_child; }

bool take_control_back() {
  Task& self = *static_cast<Task*>(runtime::self().controlled);
  PassedControl& passing = passed(g_level);
  change(passing, kPassingOffered, kPassingRefused);
  const std::uint32_t state = __atomic_load_n(&passing.state, __ATOMIC_SEQ_CST);
  if ((state & kPassingTaken) != 0) {
    // And who has it from that child, if there is one.
    const auto last = static_cast<pid_t>(process_in_control());
    if (!has_ended(static_cast<pid_t>(state & ~kPassingTaken)) || !has_ended(last)) return false;
    if (g_engine.control->outcome.verdict != Verdict::none) exit_after_verdict();
    take_timers_back();
    const std::uint64_t before = g_engine.now;
    catch_up(self, passing);
    postpone_signal_timers(g_engine.now - before);
    // The next child begins as this one did, but draws otherwise.
    g_engine.prng.reseed(combine(g_engine.control->plan.seed, g_engine.step));
    g_engine.has_children = g_had_other_children;
  }
  g_waits_for_child = false;
  take_timers_back();
  run_as(self);
  return true;
}

bool is_child_in_control() { return g_level != 0; }

bool parent_may_act() {
  for (unsigned level = 0; level < g_level; ++level) {
    if (passed(level).has_timers != 0) return true;
  }
  return false;
}

void note_thread_in_child() {
  if (g_engine.control != nullptr) g_engine.control->outcome.threads_in_children = 1;
}

pid_t process_in_control() {
  const pid_t child = __atomic_load_n(&g_engine.control->process_in_control, __ATOMIC_ACQUIRE);
  return child != 0 ? child : __atomic_load_n(&g_engine.control->run_process, __ATOMIC_ACQUIRE);
}

void leave_word() {
  const Task& self = g_engine.tasks[0];
  PassedControl& passing = passed(g_level - 1);
  passing.points = self.points;
  passing.children = self.thread != nullptr ? self.thread->children : 0;
}

}  // namespace heddle::controlled
