// How a thread comes to a point: it states what it is about to do, others may go first, handlers run, it goes on.
#include "runtime/controlled/cancel.h"
#include "runtime/controlled/carrier.h"
#include "runtime/controlled/detect.h"
#include "runtime/controlled/disturb.h"
#include "runtime/controlled/engine.h"
#include "runtime/controlled/other_processes.h"
#include "runtime/controlled/outside.h"
#include "runtime/controlled/signals.h"
#include "runtime/controlled/world.h"
#include "runtime/coverage.h"

namespace heddle::controlled {

// Who gives it ten years means that nothing but what it waits for ends its wait.
static bool is_for_ever(std::uint64_t deadline, std::uint64_t now) {
  constexpr std::uint64_t kTenYears = 10ULL * 365 * 24 * 3600 * 1'000'000'000;
  return deadline > kTenYears && deadline - kTenYears > now;
}

void Engine::hand_over(Task& from, Task& to) {
  running = &to;
  __atomic_store_n(&control->running_tid, static_cast<std::uint32_t>(to.tid), __ATOMIC_RELAXED);
  from.thread->has_control = false;
  carrier::unpark(to, carrier::Wake::run);
  wait_for_control(from);
}

// At rest it says of waiting what an intent says that waits for nothing; a wait before this has to be put to rest first.
[[gnu::always_inline]] inline void Engine::state(Task& self, const Operation& operation) {
  if (!self.at_rest) {
    state(self, Intent(operation));
    self.at_rest = true;
    return;
  }
  self.pending.kind = operation.kind;
  name(self, operation.object, operation.caller);
  self.wait_object = operation.object;
}

void Engine::state(Task& self, const Intent& intent) {
  self.at_rest = false;
  self.pending.kind = intent.kind;
  name(self, intent.object, intent.caller);
  if (intent.name != ObjectId{}) self.pending.object = intent.name;
  self.ready = intent.ready;
  self.wait_object = intent.wait_object != nullptr ? intent.wait_object : intent.object;
  self.wait_value = intent.wait_value;
  self.deadline = is_for_ever(intent.deadline, now) ? kNever : intent.deadline;
  self.honest_deadline = intent.honest_deadline;
  self.real_until = 0;
  if (intent.deadline != kNever && !intent.by_noise && intent.in_real_time) {
    self.real_until = real_now() + (intent.deadline > now ? intent.deadline - now : 0);
  }
  self.shared = intent.shared;
  self.may_miss_wake_ups = intent.looks_again;
  // The time of one with a deadline runs.
  self.patient =
      intent.shared && !intent.given_here && intent.deadline == kNever && children_answer();
  self.yielding = intent.yields;
  self.timed_out = false;
  self.interrupted = false;
}

[[gnu::always_inline]] inline void Engine::wait_for_turn(Task& self) {
  for (;;) {
    Task* const to = choose(self, SwitchReason::preempted);
    if (to != &self) hand_over(self, *to);
    if (!self.patient || await_child(self, enabled_now)) return;
    self.patient = false;
  }
}

// Handlers run, and then it waits again for what it is about to do, unless one of them has ended that.
void Engine::take_signals_in(Task& self, const Intent& intent) {
  while (has_signals(self)) {
    const bool waits = intent.ready != nullptr && !intent.ready(self) && intent.deadline > now;
    const bool ended = take_signals(self, waits ? intent.interruption : Interruption::never);
    state(self, intent);
    self.looks_again = intent.looks_again;
    self.interrupted = ended;
    if (ended) return;
    wait_for_turn(self);
  }
}

template <class Stated>
[[gnu::always_inline]] inline void Engine::wait_at_point(Task& self, const Stated& stated) {
  const runtime::InRuntime inside(*self.thread);
  if (self.thread->outside) [[unlikely]]
    enter_control();
  trace_stored(self);
  state(self, stated);
  if (noisy && !stated.by_noise) {
    disturb(self, stated, EventPhase::before);
    state(self, stated);
  }
  if (runtime::g_covering) detect_arrival(self, stated);
  wait_for_turn(self);
  if (has_signals(self)) [[unlikely]]
    take_signals_in(self, Intent(stated));
  self.ready = nullptr;
  self.yielding = false;
}

template <class Stated>
[[gnu::always_inline]] inline void Engine::come_to_point(Task& self, const Stated& stated) {
  wait_at_point(self, stated);
  if (self.cancelled) [[unlikely]]
    act_at_once(self);
}

void Engine::point(Task& self, const Intent& intent) { come_to_point(self, intent); }
void Engine::point(Task& self, const Operation& operation) { come_to_point(self, operation); }

void Engine::leave(Task& self, SwitchReason reason) {
  const runtime::InRuntime inside(*self.thread);
  trace_stored(self);
  Task* const to = choose(self, reason);
  self.thread->has_control = false;
  running = to;
  if (to == nullptr) {
    __atomic_store_n(&control->running_tid, 0u, __ATOMIC_RELAXED);
    return;
  }
  __atomic_store_n(&control->running_tid, static_cast<std::uint32_t>(to->tid), __ATOMIC_RELAXED);
  carrier::unpark(*to, carrier::Wake::run);
}

}  // namespace heddle::controlled
