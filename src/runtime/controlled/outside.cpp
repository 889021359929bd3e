#include "runtime/controlled/outside.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <poll.h>
#include <signal.h>
#include <sys/syscall.h>
#include <time.h>

#include <cstdlib>

#include "runtime/controlled/cancel.h"
#include "runtime/controlled/carrier.h"
#include "runtime/controlled/classification.h"
#include "runtime/controlled/clock.h"
#include "runtime/controlled/operations.h"
#include "runtime/controlled/other_processes.h"
#include "runtime/controlled/passing.h"
#include "runtime/controlled/real_time.h"
#include "runtime/controlled/recorder.h"
#include "runtime/controlled/signal_timers.h"
#include "runtime/controlled/verdict.h"
#include "runtime/controlled/world.h"
#include "runtime/controlled/world_waits.h"
#include "runtime/free_engine.h"
#include "runtime/identity.h"
#include "runtime/platform/syscall.h"
#include "runtime/platform/text.h"

namespace heddle::controlled {

using runtime::raw_syscall;

std::uint32_t g_outside_count;

namespace {

// Tasks that came back, newest first; pushed by anybody, emptied by whoever has control.
Task* g_returned;
std::uint32_t g_returned_signal;  // futex: bumped at every return
std::uint32_t g_nobody_runs;      // 1: the next to come back takes control itself

FixedVector<ThreadId, kMaxThreads> g_waiting_to_enter;  // came back, not yet taken in

// Who waits for what only our own threads can bring waits in vain, unless a signal is on its way to a handler.
constexpr std::uint64_t kStuckAfterNs = 250'000'000;
// Threads without a number are not controlled and do not come to barriers and conditions in the engine: what others wait for there
// may never come, and that is no fault of the program's.
constexpr std::uint64_t kUnnumberedPatienceNs = 1'000'000'000;
constexpr std::uint64_t kReplayPatienceNs = 3'000'000'000;
// A schedule that was changed may ask for a return that cannot come; it goes on without.
constexpr std::uint64_t kVariedPatienceNs = 20'000'000;

void admit(Task& task, Task& from) {
  task.state = TaskState::live;
  task.lost_control = false;
  --g_outside_count;
  Decision decision{};
  decision.step = g_engine.step;
  decision.from_step = from.points;
  decision.site = task.pending.site;
  decision.from = from.id;
  decision.to = task.id;
  decision.kind = DecisionKind::external;
  record(*g_engine.control, decision);
}

void drain() {
  Task* list = __atomic_exchange_n(&g_returned, nullptr, __ATOMIC_ACQUIRE);
  for (; list != nullptr; list = list->next_returned) {
    std::size_t at = g_waiting_to_enter.size();
    g_waiting_to_enter.push_back(list->id);
    for (; at > 0 && g_waiting_to_enter[at - 1] > list->id; --at) {
      g_waiting_to_enter[at] = g_waiting_to_enter[at - 1];
    }
    g_waiting_to_enter[at] = list->id;
  }
}

bool remove_waiting(ThreadId id) {
  for (std::size_t i = 0; i < g_waiting_to_enter.size(); ++i) {
    if (g_waiting_to_enter[i] != id) continue;
    g_waiting_to_enter.erase_at(i);
    return true;
  }
  return false;
}

void sleep_until_return(std::uint32_t seen, std::uint64_t nanoseconds) {
  const timespec timeout{static_cast<time_t>(nanoseconds / 1'000'000'000),
                         static_cast<long>(nanoseconds % 1'000'000'000)};
  raw_syscall(SYS_futex, reinterpret_cast<long>(&g_returned_signal),
              FUTEX_WAIT | FUTEX_PRIVATE_FLAG, seen, reinterpret_cast<long>(&timeout), 0, 0);
}

}  // namespace

void take_in_some(Task& from) {
  drain();
  if (!g_engine.following()) {
    while (!g_waiting_to_enter.empty()) {
      Task& task = g_engine.tasks[g_waiting_to_enter[0].value];
      g_waiting_to_enter.erase_at(0);
      admit(task, from);
    }
    return;
  }
  // A replay: only who came back at this very point of the recorded run, and we wait for it.
  while (const Decision* recorded = g_engine.recorded(DecisionKind::external, from)) {
    const bool exactly = (g_engine.control->plan.flags & kPlanFollow) != 0;
    const std::uint64_t give_up = real_now() + (exactly ? kReplayPatienceNs : kVariedPatienceNs);
    bool came = remove_waiting(recorded->to);
    while (!came && real_now() < give_up) {
      const std::uint32_t seen = __atomic_load_n(&g_returned_signal, __ATOMIC_ACQUIRE);
      drain();
      came = remove_waiting(recorded->to);
      if (!came) sleep_until_return(seen, 10'000'000);
    }
    if (!came) return;  // it may yet; the run goes on without
    admit(g_engine.tasks[recorded->to.value], from);
  }
}

bool somebody_outside() {
  return g_outside_count > 0 || g_world_waits.descriptors > 0 || g_world_waits.signals > 0 ||
         g_world_waits.rooms > 0 || g_world_waits.sleeps > 0 || g_engine.exempt_threads > 0 ||
         world_may_act();
}

// For what only threads under control can bring.
static bool somebody_waits_in_engine() {
  for (std::uint32_t i = g_engine.live_from; i < g_engine.task_count; ++i) {
    const Task& task = g_engine.tasks[i];
    if (task.state != TaskState::live || task.ready == nullptr) continue;
    switch (task.pending.kind) {
      case EventKind::cond_wait:
      case EventKind::cond_timedwait:
      case EventKind::barrier_wait:
      case EventKind::futex_wait:
        return true;
      default:
        break;
    }
  }
  return false;
}

static void wait_in_real_time() {
  Engine& engine = g_engine;
  const std::uint64_t began = real_now();
  std::uint64_t timer = kNever;
  // Who has nobody to wake us has to be looked at.
  const bool unseen = !somebody_outside();
  const bool world = unseen || world_may_act();
  const bool others = engine.exempt_threads > 0 || world || waits_for_shared();
  // Whoever sends signals is a thread or a timer of the program's, or a child: nobody else's are worth waiting for. But who waits for
  // one may be right to, however long.
  const bool signals = g_world_waits.signals > 0;
  const bool look_often = others || signals;
  const bool kernel = g_world_waits.descriptors > 0 && kernel_works_for_program();
  bool only_internal = g_outside_count == 0 && !others && !kernel && !(signals && has_child_now());
  const bool asks_often = look_often || g_world_waits.rooms > 0 || g_world_waits.sleeps > 0;
  bool told = false;
  static pollfd descriptors[kMaxThreads];
  for (;;) {
    const std::uint32_t seen = __atomic_load_n(&g_returned_signal, __ATOMIC_ACQUIRE);
    drain();
    if (!g_waiting_to_enter.empty()) {
      Task& task = engine.tasks[g_waiting_to_enter[0].value];
      g_waiting_to_enter.erase_at(0);
      admit(task, *engine.left);
      return;
    }
    if (ask_for_room() || release_from_real_time()) return;
    std::size_t count = 0;
    // One look at the clock for all of them: who is first is a matter of virtual time where all are on it.
    const std::uint64_t now = real_now();
    const std::uint64_t waited = now - began;
    const auto real_time_to = [&](std::uint64_t deadline) {
      const std::uint64_t due = deadline > engine.now ? deadline - engine.now : 0;
      return due > waited ? due - waited : 0;
    };
    timer = next_timer();
    std::uint64_t soonest = timer == kNever ? kNever : real_time_to(timer);
    for (std::uint32_t i = engine.live_from; i < engine.task_count; ++i) {
      const Task& task = engine.tasks[i];
      if (task.state != TaskState::live) continue;
      if (task.ready != nullptr && task.deadline != kNever) {
        // Of one whose real time runs already, what is left of that counts.
        const std::uint64_t left = task.real_until > now ? task.real_until - now : 0;
        const std::uint64_t in = task.real_until != 0 ? left : real_time_to(task.deadline);
        if (in < soonest || (in == soonest && task.deadline < timer)) {
          soonest = in;
          timer = task.deadline;
        }
        only_internal = only_internal && task.real_until == 0;
      }
      if (waits_for_descriptor(task)) {
        const int descriptor = static_cast<int>(task.wait_value >> 16);
        only_internal = only_internal && internal_descriptor(descriptor);
        descriptors[count++] = {descriptor, static_cast<short>(task.wait_value & 0xffff), 0};
      } else if (waits_for_room(task)) {
        only_internal = only_internal && waits_for_own_room(task);
      } else if (task.ready != nullptr && task.ready(task)) {
        return;  // a thread without our control released it
      }
    }
    if (timer != kNever && (only_internal || soonest == 0)) {
      if (timer > engine.now) engine.now = timer;
      return;
    }
    // It has had its time: this may be a deadlock.
    if (world && !somebody_outside() && !(unseen && unseen_may_act())) return;
    if (only_internal && !signals && nobody_else_acts()) {
      if (wakes_blocked()) return;
      judge_blocked();
    }
    if (engine.exempt_threads > 0 && waited > kUnnumberedPatienceNs && somebody_waits_in_engine()) {
      end_at_own_limit(
          "a run has at most 1023 threads besides the first that the controlled engine knows, and "
          "this "
          "program waits for one past them; make fewer threads, or use --engine free");
    }
    if (!told && waited > kStuckAfterNs) {
      // If the run is ended from outside, this is what it waits for.
      describe_blocked();
      told = true;
    }
    if (only_internal && !signals && waited > kStuckAfterNs) {
      describe_blocked();
      end_run(Verdict::stuck);
    }
    if (count > 0) {
      const long ready =
          raw_syscall(SYS_poll, reinterpret_cast<long>(descriptors), static_cast<long>(count),
                      g_outside_count > 0 || asks_often ? 1 : 20, 0, 0, 0);
      if (ready > 0) return;
    } else {
      const std::uint64_t longest = asks_often ? 1'000'000 : 20'000'000;
      sleep_until_return(seen, soonest < longest ? soonest : longest);
    }
  }
}

void wait_for_outside() {
  wait_in_real_time();
  g_engine.control->outcome.blocked_count = 0;
}

void wait_for_control(Task& self) {
  while (carrier::park(self) != carrier::Wake::run) {
    Task* const to = g_engine.take_over(self);
    if (to == &self) break;
    if (to != nullptr) carrier::unpark(*to, carrier::Wake::run);
  }
  Engine& engine = g_engine;
  if (engine.ending_tid != 0) {
    carrier::await_end(engine.ending_tid);
    engine.ending_tid = 0;
  }
  engine.running = &self;
  __atomic_store_n(&engine.control->running_tid, static_cast<std::uint32_t>(self.tid),
                   __ATOMIC_RELAXED);
  self.thread->has_control = true;
  take_timers_back();
  refresh_phase(self);
}

// Nobody runs until it has come back, or has been away for long.
static void await_return(const Task& who) {
  // A replay knows when it came back; one that made no progress will make none now.
  if (!children_answer() || g_engine.following() || who.lost_control || child_may_wait_for_us())
    return;
  for (Moments moments(1'000'000); moments.more();) {
    const std::uint32_t seen = __atomic_load_n(&g_returned_signal, __ATOMIC_ACQUIRE);
    drain();
    for (const ThreadId id : g_waiting_to_enter) {
      if (id == who.id) return;
    }
    sleep_until_return(seen, moments.length_ns());
  }
}

Task* Engine::take_over(Task&) {
  await_return(*left);
  return choose(*left, SwitchReason::blocked);
}

// By whoever has control, or has taken the place of nobody: the first of those who came back goes on. False if there is none.
static bool let_in(Task& from) {
  drain();
  if (g_waiting_to_enter.empty()) return false;
  Task& task = g_engine.tasks[g_waiting_to_enter[0].value];
  g_waiting_to_enter.erase_at(0);
  admit(task, from);
  carrier::unpark(task, carrier::Wake::run);
  return true;
}

// Control goes to whoever can run; to a parked thread that waits for somebody to become able to; else to who has come back, or
// to nobody.
static void give_up_control(Task& self) {
  Engine& engine = g_engine;
  self.state = TaskState::outside;
  self.thread->outside = true;
  self.thread->has_control = false;
  ++g_outside_count;
  engine.left = &self;
  for (std::uint32_t i = engine.live_from; i < engine.task_count; ++i) {
    if (engine.tasks[i].state == TaskState::live) {
      // It wakes up and chooses; often itself. One hand-over more than needed, but no thread chooses while outside.
      engine.running = nullptr;
      __atomic_store_n(&engine.control->running_tid, 0u, __ATOMIC_RELAXED);
      carrier::unpark(engine.tasks[i], carrier::Wake::schedule);
      return;
    }
  }
  engine.running = nullptr;
  __atomic_store_n(&engine.control->running_tid, 0u, __ATOMIC_RELAXED);
  if (let_in(self)) return;
  lend_timers_to_kernel();
  __atomic_store_n(&g_nobody_runs, 1u, __ATOMIC_SEQ_CST);
  if (__atomic_load_n(&g_returned, __ATOMIC_SEQ_CST) == nullptr) return;
  if (__atomic_exchange_n(&g_nobody_runs, 0u, __ATOMIC_SEQ_CST) == 1) let_in(self);
}

static void leave_engine(Task& self, const char* call, Caller caller) {
  do_without_passing();
  const runtime::InRuntime inside(*self.thread);
  RunOutcome& outcome = g_engine.control->outcome;
  self.pending.kind = EventKind::blocking_call;
  self.pending.object = ObjectId{};
  self.pending.site = runtime::site_of(caller);
  self.ready = nullptr;
  ++outcome.uncontrolled_calls;
  for (UncontrolledCall& entry : outcome.uncontrolled) {
    if (entry.name[0] == '\0') {
      runtime::TextBuilder(entry.name, sizeof entry.name).add(call);
      entry.site = self.pending.site;
    } else if (!runtime::text_equal(entry.name, call)) {
      continue;
    }
    ++entry.count;
    break;
  }
  give_up_control(self);
}

void leave_control(const char* call, Caller caller) {
  Task& self = current();
  leave_engine(self, call, caller);
  lend_cancellation(self);
}

void enter_control() {
  const int saved_errno = errno;
  Task& self = *static_cast<Task*>(runtime::self().controlled);
  if (self.thread->has_control)
    return;  // came back already, through an entry point inside the call
  take_cancellation_back(self);
  const runtime::InRuntime inside(*self.thread);
  self.thread->outside = false;
  Task* head = __atomic_load_n(&g_returned, __ATOMIC_RELAXED);
  do {
    self.next_returned = head;
  } while (!__atomic_compare_exchange_n(&g_returned, &head, &self, false, __ATOMIC_SEQ_CST,
                                        __ATOMIC_RELAXED));
  __atomic_add_fetch(&g_returned_signal, 1, __ATOMIC_RELEASE);
  raw_syscall(SYS_futex, reinterpret_cast<long>(&g_returned_signal),
              FUTEX_WAKE | FUTEX_PRIVATE_FLAG, 1, 0, 0, 0);
  if (__atomic_exchange_n(&g_nobody_runs, 0u, __ATOMIC_SEQ_CST) == 1) let_in(*g_engine.left);
  wait_for_control(self);
  tell_fresh_blocks(self);
  errno = saved_errno;
}

bool regain_control() {
  if (runtime::self().controlled == nullptr) return false;
  // Somewhere inside the call that it went outside for: if it may be cancelled, these are its clean-up handlers.
  Task& self = *static_cast<Task*>(runtime::self().controlled);
  const bool may_be = !self.lost_control || self.cancelled_at_once;
  if (may_be && will_be_cancelled(self)) self.ending = true;
  enter_control();
  return true;
}

}  // namespace heddle::controlled
