#include "campaign/lost_wakeup.h"

#include <algorithm>
#include <map>
#include <set>

#include "analysis/effect.h"

namespace heddle::campaign {

namespace {

constexpr std::uint64_t kMoreSteps = 20'000;  // for those who were woken to show what they do

// What one woken thread did until it waited again, if it did.
class Awakening {
 public:
  Awakening(const BlockedThread& blocked, std::span<const Event> before,
            std::span<const Event> after)
      : blocked_(blocked) {
    for (const Event& event : before) see_before(event);
    for (const Event& event : after) {
      if (event.thread != blocked.thread) {
        if (is_memory_access(event.kind)) shared_.insert(event.object);
        continue;
      }
      waits_again_ = waits_for_wakeup(event.kind) && event.object == blocked.object;
      if (waits_again_) break;
      did_.push_back(&event);
    }
  }

  bool went_on() const {
    if (did_.empty()) return false;  // what it needs besides the wake-up is held by another
    if (!waits_again_) return true;
    return std::ranges::any_of(did_, [&](const Event* event) {
      if (is_memory_access(event->kind)) return leaves_something(*event);
      // Without its accesses a thread shows only by other operations that it did something.
      return !sees_memory_ && event->object.value != mutex_;
    });
  }

  // Something it looked at before it waited is not what it was.
  bool sees_change() const {
    return std::ranges::any_of(did_, [&](const Event* event) {
      const auto seen = last_read_.find(event->object);
      return is_memory_read(event->kind) && seen != last_read_.end() &&
             seen->second != event->value;
    });
  }

  LostWakeup lost() const {
    if (!went_on()) return LostWakeup::no;
    if (last_wake_ != nullptr && last_wake_ > last_wait_) return LostWakeup::to_another;
    if (last_wake_ != nullptr && !looked_since_wake()) return LostWakeup::too_early;
    return sees_change() ? LostWakeup::never_sent : LostWakeup::no;
  }

 private:
  // It looked at what others change after the last wake-up, before it waited: of that one it missed nothing.
  bool looked_since_wake() const {
    return std::ranges::any_of(looked_at_,
                               [&](ObjectId object) { return shared_.contains(object); });
  }

  // Counting itself in and out of those who wait is nothing: libraries do so with read-modify-writes.
  bool leaves_something(const Event& event) const {
    const bool stores = is_memory_write(event.kind) && event.kind != EventKind::atomic_rmw &&
                        event.kind != EventKind::atomic_cas;
    return stores && shared_.contains(event.object);
  }

  void see_before(const Event& event) {
    if (event.thread != blocked_.thread) {
      if (is_memory_access(event.kind)) shared_.insert(event.object);
      if (wakes(event.kind) && event.object == blocked_.object) {
        last_wake_ = &event;
        looking_at_.clear();
      }
      return;
    }
    sees_memory_ = sees_memory_ || is_memory_access(event.kind);
    if (is_memory_read(event.kind)) {
      last_read_[event.object] = event.value;
      looking_at_.insert(event.object);
    }
    // What was read before the lock was taken may have been of any time.
    if (takes_mutex(event.kind)) looking_at_.clear();
    if (waits_for_wakeup(event.kind) && event.object == blocked_.object) {
      last_wait_ = &event;
      mutex_ = event.argument;
      const bool with_lock = event.kind != EventKind::futex_wait;
      looked_at_ = with_lock ? looking_at_ : std::set<ObjectId>{};
    }
  }

  const BlockedThread& blocked_;
  std::vector<const Event*> did_;
  std::set<ObjectId> shared_;  // what other threads access
  std::map<ObjectId, std::uint64_t> last_read_;
  std::set<ObjectId> looking_at_;     // since the last wake-up, with the lock that it holds now
  std::set<ObjectId> looked_at_;      // the same, when it last came to wait
  const Event* last_wake_ = nullptr;  // by another thread
  const Event* last_wait_ = nullptr;
  std::uint64_t mutex_ = 0;
  bool sees_memory_ = false;
  bool waits_again_ = false;
};

}  // namespace

bool waits_for_wakeup(EventKind kind) {
  return kind == EventKind::cond_wait || kind == EventKind::cond_timedwait ||
         kind == EventKind::futex_wait;
}

bool wakes(EventKind kind) {
  return kind == EventKind::cond_signal || kind == EventKind::cond_broadcast ||
         kind == EventKind::futex_wake || kind == EventKind::futex_requeue;
}

LostWakeup what_was_lost(const BlockedThread& blocked, std::span<const Event> before,
                         std::span<const Event> after) {
  return Awakening(blocked, before, after).lost();
}

void find_lost_wakeups(Crew& crew, RunRecord& record,
                       std::optional<std::chrono::steady_clock::time_point> until) {
  RunOutcome& outcome = record.outcome;
  const std::span<BlockedThread> blocked(outcome.blocked, outcome.blocked_count);
  if (outcome.verdict != Verdict::deadlock) return;
  if (std::ranges::none_of(blocked, waits_for_wakeup, &BlockedThread::waiting_in)) return;
  RunInput input = record.input;
  input.plan.flags |= kPlanWakeBlocked;
  input.plan.step_limit = std::min(input.plan.step_limit, outcome.steps + kMoreSteps);
  Work work;
  work.inputs = {&input, 1};
  work.capture_all = true;
  work.until = until;
  const std::vector<RunSlot> slots = crew.execute(work);
  if (!slots[0].done || !slots[0].capture) return;
  const std::span<const Event> events = slots[0].capture->trace;
  const auto woken =
      std::ranges::find_if(events, [&](const Event& event) { return event.step >= outcome.steps; });
  const std::span<const Event> before(events.begin(), woken);
  const std::span<const Event> after(woken, events.end());
  for (BlockedThread& thread : blocked) {
    if (!waits_for_wakeup(thread.waiting_in)) continue;
    thread.lost_wakeup = what_was_lost(thread, before, after);
    for (const Event& event : before) {
      if (wakes(event.kind) && event.object == thread.object && event.thread != thread.thread) {
        thread.signal_site = event.site;
      }
    }
  }
}

}  // namespace heddle::campaign
