#include "runtime/controlled/waiters.h"

#include "base/hash.h"
#include "runtime/controlled/recorder.h"

namespace heddle::controlled {

namespace {

// Condition waits that end without a signal, with kPlanSpurious.
constexpr std::uint64_t kOneInSoManySpurious = 6;

bool is_parked(const Task& task, const void* object, bool (*ready)(const Task&)) {
  return task.ready == ready && task.wait_object == object && !task.notified;
}

bool is_parked(const SuspendedWait& wait, const void* object, bool (*ready)(const Task&)) {
  return wait.ready == ready && wait.object == object && !wait.notified;
}

// Since when; 0: it does not wait there.
std::uint64_t queued_at(const Task& task, const void* object, bool (*ready)(const Task&)) {
  if (task.state != TaskState::live) return 0;
  if (is_parked(task, object, ready)) return task.queued;
  for (const SuspendedWait& wait : task.suspended_waits) {
    if (is_parked(wait, object, ready)) return wait.queued;
  }
  return 0;
}

}  // namespace

std::size_t collect_waiters(const void* object, bool (*ready)(const Task&), ThreadId* waiters) {
  const Engine& engine = g_engine;
  std::size_t count = 0;
  for (std::uint32_t i = engine.live_from; i < engine.task_count; ++i) {
    const Task& task = engine.tasks[i];
    const std::uint64_t queued = queued_at(task, object, ready);
    if (queued == 0) continue;
    std::size_t at = count++;
    for (; at > 0; --at) {
      const Task& before = engine.tasks[waiters[at - 1].value];
      if (queued_at(before, object, ready) <= queued) break;
      waiters[at] = waiters[at - 1];
    }
    waiters[at] = task.id;
  }
  return count;
}

void notify(ThreadId waiter, const void* object, bool (*ready)(const Task&)) {
  Task& task = g_engine.tasks[waiter.value];
  if (is_parked(task, object, ready)) {
    task.notified = true;
    return;
  }
  for (SuspendedWait& wait : task.suspended_waits) {
    if (!is_parked(wait, object, ready)) continue;
    wait.notified = true;
    return;
  }
}

// For draws from where we are, not from a stream: a replay that is past its last decision draws the same.
std::uint64_t Engine::place_of(const Task& task) const {
  return combine(combine(control->plan.seed, task.path_hash), task.points);
}

bool Engine::wakes_by_itself(Task& self) {
  if (const Decision* wanted = recorded(DecisionKind::spurious, self)) {
    record(*control, *wanted);
    return true;
  }
  if ((control->plan.flags & kPlanSpurious) == 0 || following()) return false;
  if ((control->plan.flags & kPlanRecordWidths) != 0) return false;
  if (!Prng(combine(place_of(self), kOneInSoManySpurious)).chance(1, kOneInSoManySpurious)) {
    return false;
  }
  Decision decision{};
  decision.step = step;
  decision.from_step = self.points;
  decision.site = self.pending.site;
  decision.from = self.id;
  decision.to = self.id;
  decision.kind = DecisionKind::spurious;
  decision.candidates = 1;
  record(*control, decision);
  return true;
}

std::size_t Engine::choose_waiter(Task& self, const ThreadId* waiters, std::size_t count) {
  if (count == 1) return 0;
  if (const Decision* wanted = recorded(DecisionKind::wake, self)) {
    for (std::size_t i = 0; i < count; ++i) {
      if (waiters[i] != wanted->to) continue;
      record(*control, *wanted);
      return i;
    }
  }
  if (following() || (control->plan.flags & kPlanRecordWidths) != 0) return 0;
  const std::size_t chosen = Prng(place_of(self)).below(count);
  if (chosen != 0) {
    Decision decision{};
    decision.step = step;
    decision.from_step = self.points;
    decision.site = self.pending.site;
    decision.from = self.id;
    decision.to = waiters[chosen];
    decision.kind = DecisionKind::wake;
    decision.candidates = static_cast<std::uint16_t>(count);
    record(*control, decision);
  }
  return chosen;
}

}  // namespace heddle::controlled
