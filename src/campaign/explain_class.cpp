#include "campaign/explain_class.h"

#include <algorithm>
#include <set>

namespace heddle::campaign {

namespace {

bool is_lock_wait(EventKind kind) {
  const auto value = static_cast<unsigned>(kind);
  return value >= static_cast<unsigned>(EventKind::mutex_init) &&
         value < static_cast<unsigned>(EventKind::cond_wait);
}

BugClass classify_blocked(const RunOutcome& outcome) {
  bool lost = false;
  bool lock = false;
  bool condition = false;
  std::set<ObjectId> semaphores;
  for (unsigned i = 0; i < outcome.blocked_count; ++i) {
    const BlockedThread& thread = outcome.blocked[i];
    lost = lost || thread.lost_wakeup != 0;
    lock = lock || is_lock_wait(thread.waiting_in) || thread.waiting_in == EventKind::barrier_wait;
    condition = condition || thread.waiting_in == EventKind::cond_wait ||
                thread.waiting_in == EventKind::futex_wait;
    if (thread.waiting_in == EventKind::sem_wait) semaphores.insert(thread.object);
  }
  if (lost) return BugClass::lost_wakeup;
  if (lock || semaphores.size() > 1) return BugClass::deadlock;
  if (condition || semaphores.size() == 1) return BugClass::lost_wakeup;
  return BugClass::deadlock;
}

// The main thread did all it had to do, and others were still at work.
bool outlived_main(const ClassEvidence& evidence) {
  std::set<ThreadId> alive;
  std::size_t main_events = 0;
  bool main_ended = false;
  for (const Event& event : evidence.failing) {
    alive.insert(event.thread);
    if (event.kind == EventKind::thread_exit) alive.erase(event.thread);
    if (event.thread.value != 0) continue;
    ++main_events;
    main_ended = event.kind == EventKind::thread_exit || event.kind == EventKind::process_exit;
  }
  alive.erase(ThreadId{0});
  if (alive.empty()) return false;
  if (main_ended || evidence.failing.back().thread.value == 0) return true;
  if (evidence.passing.empty()) return false;
  const auto main_passing = static_cast<std::size_t>(std::ranges::count_if(
      evidence.passing, [](const Event& event) { return event.thread.value == 0; }));
  return main_events >= main_passing;
}

bool share_a_lock(const std::vector<ObjectId>& a, const std::vector<ObjectId>& b) {
  return std::ranges::any_of(a,
                             [&](ObjectId lock) { return std::ranges::find(b, lock) != b.end(); });
}

BugClass classify_pair(const ClassEvidence& evidence) {
  const FlippedPair& pair = *evidence.pair;
  const Event& first = evidence.failing[pair.first];
  const Event& second = evidence.failing[pair.second];
  // Nobody was interrupted: only who came first differs.
  if (evidence.outcome->preemptions == 0) return BugClass::order_violation;
  const std::vector<std::vector<ObjectId>> held = held_locks(evidence.failing);
  const bool plain = is_plain_access(first.kind) && is_plain_access(second.kind);
  const bool protected_by_one = share_a_lock(held[pair.first], held[pair.second]);
  if (plain && !protected_by_one) {
    // Read, then something else's write, then write: an update is lost. Without the read nothing was interrupted but order.
    return pair.before ? BugClass::data_race : BugClass::order_violation;
  }
  return BugClass::atomicity;
}

}  // namespace

BugClass classify(const ClassEvidence& evidence) {
  const bool stalls = std::ranges::any_of(
      evidence.decisions, [](const Decision& d) { return d.kind == DecisionKind::timeout; });
  if (stalls) return BugClass::sleep_as_synchronisation;
  if (evidence.kind == FailureKind::deadlock) return classify_blocked(*evidence.outcome);
  if (evidence.kind == FailureKind::livelock) return BugClass::livelock;
  if (evidence.failing.empty()) return BugClass::unknown;
  if (outlived_main(evidence)) return BugClass::teardown;
  return evidence.pair ? classify_pair(evidence) : BugClass::unknown;
}

}  // namespace heddle::campaign
