#include "campaign/explain_class.h"

#include <algorithm>

#include "campaign/explain_align.h"
#include "campaign/extent.h"
#include "campaign/trace_locks.h"
#include "campaign/wait_circle.h"

namespace heddle::campaign {

namespace {

bool is_lock_wait(EventKind kind) {
  const auto value = static_cast<unsigned>(kind);
  return value >= static_cast<unsigned>(EventKind::mutex_init) &&
         value < static_cast<unsigned>(EventKind::cond_wait);
}

const Event& second_of(const ClassEvidence& evidence) {
  return (evidence.pair->second_passing ? evidence.passing
                                        : evidence.failing)[evidence.pair->second];
}

// A thread wrote what it had worked out from a value that another changed in the meantime.
bool is_lost_update(const ClassEvidence& evidence) {
  const FlippedPair& pair = *evidence.pair;
  if (!pair.by_value || (!pair.interrupted && !pair.resumed)) return false;
  const Event& begun = evidence.failing[pair.interrupted ? *pair.interrupted : pair.first];
  const Event& ended = pair.interrupted ? second_of(evidence) : evidence.failing[*pair.resumed];
  const bool at_once = ended.kind == EventKind::atomic_rmw || ended.kind == EventKind::atomic_cas;
  return overlap(begun, ended) && is_read_only(begun.kind) && is_memory_write(ended.kind) &&
         !at_once;
}

// Of threads that wait for ever; none if they do so because something went wrong before.
std::optional<BugClass> classify_blocked(const ClassEvidence& evidence) {
  const RunOutcome& outcome = *evidence.outcome;
  const std::span<const BlockedThread> blocked(outcome.blocked, outcome.blocked_count);
  const auto any = [&](auto is_so) { return std::ranges::any_of(blocked, is_so); };
  if (any([](const BlockedThread& t) { return t.lost_wakeup != LostWakeup::no; })) {
    return BugClass::lost_wakeup;
  }
  const bool for_others = any([](const BlockedThread& t) {
    return is_lock_wait(t.waiting_in) || t.waiting_in == EventKind::barrier_wait;
  });
  if (for_others) return BugClass::deadlock;
  if (evidence.pair && is_lost_update(evidence)) return std::nullopt;
  if (wait_in_circle(blocked, evidence.failing, evidence.passing)) return BugClass::deadlock;
  if (evidence.pair && evidence.pair->by_value) return std::nullopt;
  return BugClass::deadlock;
}

bool is_detached(std::span<const Event> events, ThreadId thread) {
  ObjectId object{};
  for (const Event& event : events) {
    if (event.kind == EventKind::thread_create && event.value == thread.value)
      object = event.object;
    if (event.kind == EventKind::thread_detach && event.object == object && object != ObjectId{}) {
      return true;
    }
  }
  return false;
}

// A thread goes on with what its owner has ended, or the end of the program with what a thread has not.
bool is_teardown(const ClassEvidence& evidence) {
  // libstdc++'s words for a std::thread that is destroyed before it is joined.
  if (evidence.message.find("terminate called without an active exception") != std::string::npos) {
    return true;
  }
  if (!evidence.pair) return false;
  if (evidence.outside_main || evidence.destroys) return true;
  const ThreadId first = evidence.failing[evidence.pair->first].thread;
  const ThreadId second = second_of(evidence).thread;
  return (first.value == 0 && is_detached(evidence.failing, second)) ||
         (second.value == 0 && is_detached(evidence.failing, first));
}

// The timer that fired while others could run was a sleep's, or that of a wait whose end is then taken for granted. A
// timed lock is not: without it nothing is protected, and the pair says what follows.
bool relies_on_time(const ClassEvidence& evidence) {
  for (const Decision& decision : evidence.decisions) {
    if (decision.kind != DecisionKind::timeout) continue;
    const auto next = std::ranges::find_if(evidence.failing, [&](const Event& event) {
      return event.thread == decision.to && event.step >= decision.step &&
             event.phase == EventPhase::before;
    });
    if (next == evidence.failing.end()) return true;
    if (next->kind != EventKind::mutex_timedlock && next->kind != EventKind::rwlock_timedrdlock &&
        next->kind != EventKind::rwlock_timedwrlock) {
      return true;
    }
  }
  return false;
}

std::string atomicity_detail(const ClassEvidence& evidence) {
  // The two between which the other thread came.
  const FlippedPair& pair = *evidence.pair;
  if (second_of(evidence).kind == EventKind::fork) return "a lock held at a fork";
  const Event& begun = evidence.failing[pair.interrupted ? *pair.interrupted : pair.first];
  const Event& ended = pair.interrupted ? second_of(evidence) : evidence.failing[*pair.resumed];
  if (!overlap(begun, ended)) return "several variables";
  const bool checks = is_memory_read(begun.kind) && !is_memory_write(begun.kind);
  return checks && is_memory_write(ended.kind) ? "check-then-act" : "one variable";
}

Classification classify_pair(const ClassEvidence& evidence) {
  const FlippedPair& pair = *evidence.pair;
  const Event& first = evidence.failing[pair.first];
  const Event& second = second_of(evidence);
  const HeldLocks held_first = held_locks(evidence.failing)[pair.first];
  const HeldLocks held_second =
      held_locks(pair.second_passing ? evidence.passing : evidence.failing)[pair.second];
  const bool plain = is_plain_access(first.kind) && is_plain_access(second.kind);
  if (plain && !pair.ordered && !kept_apart(held_first, held_second)) {
    return {BugClass::data_race, {}};
  }
  // Nobody was interrupted: only who came first differs.
  if (evidence.outcome->preemptions == 0 || (!pair.interrupted && !pair.resumed)) {
    return {BugClass::order_violation, {}};
  }
  return {BugClass::atomicity, atomicity_detail(evidence)};
}

}  // namespace

// A watchdog of the program's own ended it: locks were waited for in a circle, which the engine saw when nothing else could run.
// Who merely waits while the program ends is no reason.
static bool ended_in_circle(const ClassEvidence& evidence) {
  const RunOutcome& outcome = *evidence.outcome;
  if (evidence.kind != FailureKind::exit && evidence.kind != FailureKind::crash) return false;
  const std::span<const BlockedThread> blocked(outcome.blocked, outcome.blocked_count);
  const auto holder_of = [&](const BlockedThread& waiter) {
    return std::ranges::find_if(blocked, [&](const BlockedThread& other) {
      return other.thread == waiter.holder && is_lock_wait(waiter.waiting_in);
    });
  };
  return std::ranges::any_of(blocked, [&](const BlockedThread& first) {
    auto at = holder_of(first);
    for (std::size_t steps = 0; at != blocked.end() && steps < blocked.size(); ++steps) {
      if (at->thread == first.thread) return true;
      at = holder_of(*at);
    }
    return false;
  });
}

Classification classify(const ClassEvidence& evidence) {
  if (ended_in_circle(evidence)) return {BugClass::deadlock, {}};
  if (evidence.kind == FailureKind::deadlock) {
    if (const std::optional<BugClass> known = classify_blocked(evidence)) return {*known, {}};
  }
  if (evidence.kind == FailureKind::livelock) return {BugClass::livelock, {}};
  if (is_teardown(evidence)) return {BugClass::teardown, {}};
  if (relies_on_time(evidence)) return {BugClass::sleep_as_synchronisation, {}};
  return evidence.pair ? classify_pair(evidence) : Classification{};
}

}  // namespace heddle::campaign
