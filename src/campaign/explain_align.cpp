#include "campaign/explain_align.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "campaign/extent.h"

namespace heddle::campaign {

namespace {

using EventKey = std::tuple<EventKind, SiteId, ObjectId>;

constexpr std::size_t kLookAhead = 64;

EventKey key_of(const Event& event) { return {event.kind, event.site, event.object}; }

std::map<ThreadId, std::vector<std::size_t>> by_thread(std::span<const Event> events) {
  std::map<ThreadId, std::vector<std::size_t>> numbers;
  for (std::size_t i = 0; i < events.size(); ++i) numbers[events[i].thread].push_back(i);
  return numbers;
}

// One thread's events in both: what one lacks is passed over, the shortest way.
class ThreadMatch {
 public:
  ThreadMatch(std::span<const Event> failing, std::span<const Event> passing,
              const std::vector<std::size_t>& mine, const std::vector<std::size_t>& theirs)
      : failing_(failing), passing_(passing), mine_(mine), theirs_(theirs) {}

  void into(Alignment& alignment) {
    std::size_t i = 0;
    std::size_t j = 0;
    while (i < mine_.size() && j < theirs_.size()) {
      if (!same(i, j) && !skip(i, j)) return;
      alignment.to_passing[mine_[i]] = theirs_[j];
      alignment.to_failing[theirs_[j]] = mine_[i];
      ++i;
      ++j;
    }
  }

 private:
  bool same(std::size_t i, std::size_t j) const {
    return i < mine_.size() && j < theirs_.size() &&
           key_of(failing_[mine_[i]]) == key_of(passing_[theirs_[j]]);
  }
  bool skip(std::size_t& i, std::size_t& j) const {
    for (std::size_t together = 1; together <= kLookAhead; ++together) {
      for (std::size_t a = 0; a <= together; ++a) {
        if (!same(i + a, j + together - a)) continue;
        i += a;
        j += together - a;
        return true;
      }
    }
    return false;
  }

  std::span<const Event> failing_;
  std::span<const Event> passing_;
  const std::vector<std::size_t>& mine_;
  const std::vector<std::size_t>& theirs_;
};

}  // namespace

bool conflict(const Event& a, const Event& b) {
  if (a.thread == b.thread || !overlap(a, b)) return false;
  if (a.kind <= EventKind::thread_cancel || b.kind <= EventKind::thread_cancel) return false;
  const ObjectKind kind = object_kind(a.object);
  if (kind == ObjectKind::none || kind == ObjectKind::thread || kind == ObjectKind::clock) {
    return false;
  }
  return !is_read_only(a.kind) || !is_read_only(b.kind);
}

std::vector<std::size_t> last_writes(std::span<const Event> events) {
  LastTouch last;
  std::vector<std::size_t> result;
  for (std::size_t i = 0; i < events.size(); ++i) {
    const Extent extent = extent_of(events[i]);
    result.push_back(last.find(extent, kAbsent));
    if (is_memory_access(events[i].kind) ? is_memory_write(events[i].kind)
                                         : !is_read_only(events[i].kind)) {
      last.put(extent, i);
    }
  }
  return result;
}

Alignment align(std::span<const Event> failing, std::span<const Event> passing) {
  Alignment alignment{std::vector<std::size_t>(failing.size(), kAbsent),
                      std::vector<std::size_t>(passing.size(), kAbsent)};
  const auto theirs = by_thread(passing);
  for (const auto& [thread, numbers] : by_thread(failing)) {
    const auto found = theirs.find(thread);
    if (found == theirs.end()) continue;
    ThreadMatch(failing, passing, numbers, found->second).into(alignment);
  }
  return alignment;
}

std::size_t distance(std::span<const Event> failing, std::span<const Event> passing) {
  const Alignment alignment = align(failing, passing);
  const std::vector<std::size_t> here = last_writes(failing);
  const std::vector<std::size_t> there = last_writes(passing);
  std::size_t differences = 0;
  for (std::size_t i = 0; i < failing.size(); ++i) {
    const std::size_t j = alignment.to_passing[i];
    if (j == kAbsent) {
      ++differences;
      continue;
    }
    const std::size_t wrote = here[i] == kAbsent ? kAbsent : alignment.to_passing[here[i]];
    if (wrote != there[j]) ++differences;
  }
  return differences;
}

}  // namespace heddle::campaign
