#include "campaign/explain_wait.h"

#include <algorithm>
#include <set>
#include <vector>

#include "analysis/effect.h"
#include "campaign/extent.h"
#include "campaign/trace_locks.h"

namespace heddle::campaign {

namespace {

constexpr std::size_t kMostLooks = 64;  // the last ones before a wait

class WaitWatch {
 public:
  WaitWatch(std::span<const Event> events, ThreadId thread, const SamePlace& same_place)
      : events_(events),
        thread_(thread),
        same_place_(same_place),
        shared_(shared_objects(events)) {}

  std::optional<UncheckedWait> run() {
    for (std::size_t i = 0; i < events_.size(); ++i) {
      const Event& event = events_[i];
      if (event.thread == thread_) own(i);
      const bool tells = is_memory_access(event.kind) && event.kind != EventKind::atomic_fence &&
                         event.kind != EventKind::read_range;
      if (tells) touched_.put(extent_of(event), i);
    }
    return found_;
  }

 private:
  enum class State { looking, waiting, woken };

  void own(std::size_t number) {
    const Event& event = events_[number];
    if (event.kind == EventKind::cond_wait) {
      wait_ = number;
      looked_at_ = looking_at_;
      state_ = State::waiting;
    } else if (takes_lock(event)) {
      const bool wakes_up =
          state_ == State::waiting && event.object == ObjectId{events_[wait_].argument};
      state_ = wakes_up && is_as_it_was() ? State::woken : State::looking;
      looking_at_.clear();
    }
    if (!is_memory_access(event.kind)) return;
    if (state_ == State::woken && touches_looked_at(event)) {
      state_ = State::looking;
      const bool looks_again = std::ranges::any_of(
          looked_at_, [&](std::size_t look) { return same_place_(look, number); });
      if (!looks_again) found_ = UncheckedWait{looked_at_, wait_, number};
    }
    if (is_memory_read(event.kind) && shared_.contains(event.object)) {
      if (looking_at_.size() == kMostLooks) looking_at_.erase(looking_at_.begin());
      looking_at_.push_back(number);
    }
  }

  bool touches_looked_at(const Event& event) const {
    return std::ranges::any_of(looked_at_,
                               [&](std::size_t look) { return overlap(events_[look], event); });
  }

  // As the last access to these bytes showed it; unknown where that was to more bytes or fewer.
  std::optional<std::uint64_t> value_now(std::size_t look) const {
    std::optional<std::uint64_t> value;
    bool whole = true;
    const Extent wanted = extent_of(events_[look]);
    touched_.visit(wanted, [&](std::size_t number) {
      const Event& event = events_[number];
      const Extent extent = extent_of(event);
      whole = whole && extent.first == wanted.first && extent.last == wanted.last &&
              !is_range(event.kind);
      value = event.value;
    });
    return whole ? value : std::nullopt;
  }

  bool is_as_it_was() const {
    if (looked_at_.empty()) return false;
    return std::ranges::all_of(looked_at_, [&](std::size_t look) {
      const std::optional<std::uint64_t> now = value_now(look);
      if (!now) return false;
      const std::uint64_t then = events_[look].value;
      if (*now == then) return true;
      return std::ranges::any_of(looked_at_, [&](std::size_t other) {
        return events_[other].object != events_[look].object && events_[other].value == then &&
               value_now(other) == now;
      });
    });
  }

  std::span<const Event> events_;
  ThreadId thread_;
  const SamePlace& same_place_;
  std::set<ObjectId> shared_;
  LastTouch touched_;
  std::vector<std::size_t> looking_at_;  // since it took a lock last
  std::vector<std::size_t> looked_at_;   // the same when it came to wait
  std::size_t wait_ = 0;
  State state_ = State::looking;
  std::optional<UncheckedWait> found_;
};

}  // namespace

std::optional<UncheckedWait> find_unchecked_wait(std::span<const Event> events, ThreadId thread,
                                                 const SamePlace& same_place) {
  return WaitWatch(events, thread, same_place).run();
}

}  // namespace heddle::campaign
