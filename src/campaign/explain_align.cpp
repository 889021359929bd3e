#include "campaign/explain_align.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "campaign/explain_order.h"
#include "campaign/extent.h"

namespace heddle::campaign {

namespace {

using EventKey = std::tuple<EventKind, SiteId, ObjectId>;

constexpr std::size_t kLookAhead = 64;
constexpr std::size_t kFarthest = 2000;  // events between the two of a pair, where no value tells

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

// What a read-modify-write read is not what it left.
std::uint64_t read_value(const Event& event) {
  const bool both = event.kind == EventKind::atomic_rmw || event.kind == EventKind::atomic_cas;
  return both ? event.argument : event.value;
}

// By event: the last write to its object before it; kAbsent: none was seen.
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

// A search for the two events, over both traces at once.
class PairSearch {
 public:
  PairSearch(std::span<const Event> failing, std::span<const Event> passing)
      : failing_(failing),
        passing_(passing),
        alignment_(align(failing, passing)),
        wrote_failing_(last_writes(failing)),
        wrote_passing_(last_writes(passing)) {}

  std::optional<FlippedPair> run() {
    std::optional<FlippedPair> pair = wrong_read();
    if (pair) pair->by_value = true;
    if (!pair) pair = flipped(true);
    if (!pair) pair = flipped(false);
    if (pair) {
      find_interrupted(*pair);
      pair->ordered = is_ordered(*pair);
    }
    return pair;
  }

 private:
  // The first event that read something else than it does where the program passes: what differs after it is its
  // consequence. It came before a write it should have seen, or after one that should have come later.
  std::optional<FlippedPair> wrong_read() const {
    for (std::size_t i = 0; i < failing_.size(); ++i) {
      const std::size_t j = alignment_.to_passing[i];
      if (j == kAbsent || !is_memory_read(failing_[i].kind)) continue;
      if (read_value(failing_[i]) == read_value(passing_[j])) continue;
      const std::size_t here = wrote_failing_[i];
      const std::size_t there = wrote_passing_[j];
      // The same writer: it wrote something else, and why is to be found at an earlier event or not in the trace.
      if (here != kAbsent && alignment_.to_passing[here] == there) continue;
      if (here == kAbsent && there == kAbsent) continue;
      if (const std::optional<std::size_t> missed = missed_write(i, j, there)) {
        const std::size_t late = alignment_.to_failing[*missed];
        if (late == kAbsent)
          return FlippedPair{.first = i, .second = *missed, .second_passing = true};
        return FlippedPair{.first = i, .second = late};
      }
      if (here != kAbsent && failing_[here].thread != failing_[i].thread) {
        const std::size_t early = alignment_.to_passing[here];
        if (early == kAbsent ? !goes_on_elsewhere(here) : early > j) {
          return FlippedPair{.first = here, .second = i};
        }
      }
    }
    return std::nullopt;
  }

  // The write that event `i` should have seen, as it did at `j` where the program passes: of all that leave the value it
  // read there, one of a thread that was in the middle of something, else the one it did see.
  std::optional<std::size_t> missed_write(std::size_t i, std::size_t j, std::size_t there) const {
    std::optional<std::size_t> best;
    for (std::size_t k = 0; k < j; ++k) {
      const Event& write = passing_[k];
      if (!is_memory_write(write.kind) || write.thread == failing_[i].thread) continue;
      if (!overlap(write, failing_[i])) continue;
      if (k != there && write.value != read_value(passing_[j])) continue;
      const std::size_t late = alignment_.to_failing[k];
      // A thread that had gone another way by then did so for a reason that comes earlier.
      if (late == kAbsent ? went_elsewhere(k, i) : late < i) continue;
      if (has_begun(write.thread, i)) return k;
      if (k == there) best = k;
    }
    return best;
  }

  bool has_begun(ThreadId thread, std::size_t before) const {
    return std::any_of(
        failing_.begin(), failing_.begin() + static_cast<std::ptrdiff_t>(before),
        [&](const Event& event) { return event.thread == thread && is_memory_access(event.kind); });
  }

  // Where event `number` of one trace, which the other lacks, would have to be in that: its thread's next event there.
  static std::size_t instead(std::span<const Event> one, std::size_t number,
                             const std::vector<std::size_t>& to_other,
                             std::span<const Event> other) {
    const ThreadId thread = one[number].thread;
    std::size_t next = 0;
    for (std::size_t i = number; i-- > 0;) {
      if (one[i].thread != thread || to_other[i] == kAbsent) continue;
      next = to_other[i] + 1;
      break;
    }
    while (next < other.size() && other[next].thread != thread) ++next;
    return next < other.size() ? next : kAbsent;
  }

  // The thread does something else in the failing trace than event `number` of the passing one, and not because of what the
  // thread of event `reader` did after that.
  bool went_elsewhere(std::size_t number, std::size_t reader) const {
    const std::size_t other = instead(passing_, number, alignment_.to_failing, failing_);
    if (other == kAbsent) return false;
    for (std::size_t i = reader + 1; i < other; ++i) {
      const std::size_t j = alignment_.to_passing[i];
      if (failing_[i].thread != passing_[number].thread || j == kAbsent) continue;
      if (!is_memory_read(failing_[i].kind)) continue;
      if (read_value(failing_[i]) == read_value(passing_[j])) continue;
      const std::size_t wrote = wrote_failing_[i];
      return wrote == kAbsent || failing_[wrote].thread != failing_[reader].thread;
    }
    return true;
  }

  // The thread does something else in the passing trace than event `number` of the failing one.
  bool goes_on_elsewhere(std::size_t number) const {
    return instead(failing_, number, alignment_.to_passing, passing_) != kAbsent;
  }

  bool is_ordered(const FlippedPair& pair) const {
    const auto in = [](std::span<const Event> events, std::size_t a, std::size_t b) {
      if (a == kAbsent || b == kAbsent) return true;  // not to be told from this one
      return ordered_without_locks(events, std::min(a, b), std::max(a, b));
    };
    const std::size_t first = alignment_.to_passing[pair.first];
    if (pair.second_passing) return first != kAbsent && in(passing_, first, pair.second);
    return in(failing_, pair.first, pair.second) &&
           in(passing_, first, alignment_.to_passing[pair.second]);
  }

  // Conflicting events in the other order, the pair that completes first: a cause comes before what it causes.
  std::optional<FlippedPair> flipped(bool memory) const {
    const std::vector<std::size_t>& other = alignment_.to_passing;
    for (std::size_t second = 0; second < failing_.size(); ++second) {
      if (other[second] == kAbsent || is_memory_access(failing_[second].kind) != memory) continue;
      std::optional<std::size_t> best;
      const std::size_t oldest = second > kFarthest ? second - kFarthest : 0;
      for (std::size_t first = second; first-- > oldest;) {
        if (other[first] == kAbsent || other[first] < other[second]) continue;
        if (!conflict(failing_[first], failing_[second])) continue;
        // Of all that came too early, the last write is what this event met.
        const bool writes = !is_read_only(failing_[first].kind);
        if (!best || writes) best = first;
        if (writes) break;
      }
      if (best) return FlippedPair{.first = *best, .second = second};
    }
    return never_reached(memory);
  }

  // What a thread does where the program passes, and had not yet done when it failed.
  std::optional<FlippedPair> never_reached(bool memory) const {
    std::map<ThreadId, std::size_t> matched;  // the last event both have
    for (std::size_t j = 0; j < passing_.size(); ++j) {
      if (alignment_.to_failing[j] != kAbsent) matched[passing_[j].thread] = j;
    }
    for (std::size_t j = 0; j < passing_.size(); ++j) {
      if (alignment_.to_failing[j] != kAbsent || is_memory_access(passing_[j].kind) != memory)
        continue;
      const auto last = matched.find(passing_[j].thread);
      if (last != matched.end() && j < last->second) continue;
      const std::size_t oldest = failing_.size() > kFarthest ? failing_.size() - kFarthest : 0;
      for (std::size_t first = failing_.size(); first-- > oldest;) {
        const std::size_t there = alignment_.to_passing[first];
        if (there == kAbsent || there < j || !conflict(failing_[first], passing_[j])) continue;
        return FlippedPair{.first = first, .second = j, .second_passing = true};
      }
    }
    return std::nullopt;
  }

  std::set<ObjectId> memory_of(ThreadId thread) const {
    std::set<ObjectId> objects;
    for (const std::span<const Event> events : {failing_, passing_}) {
      for (const Event& event : events) {
        if (event.thread == thread && is_memory_access(event.kind)) objects.insert(event.object);
      }
    }
    return objects;
  }

  // Something that is the other thread's too: memory, or the descriptor that it is about.
  static bool tells_of_work(const Event& event, ObjectId object,
                            const std::set<ObjectId>& memory_of_other) {
    if (event.kind == EventKind::blocking_call) return event.object == object;
    return is_memory_access(event.kind) && memory_of_other.contains(event.object);
  }

  // Who was in the middle of something when the other came.
  void find_interrupted(FlippedPair& pair) const {
    const ThreadId first = failing_[pair.first].thread;
    const ThreadId second = (pair.second_passing ? passing_ : failing_)[pair.second].thread;
    const std::set<ObjectId> of_first = memory_of(first);
    const std::set<ObjectId> of_second = memory_of(second);
    const ObjectId object = failing_[pair.first].object;
    bool same_object = false;
    for (std::size_t i = pair.first; i-- > 0 && !same_object;) {
      const Event& event = failing_[i];
      if (event.thread != second || !tells_of_work(event, object, of_first)) continue;
      same_object = event.object == object;
      if (!pair.interrupted || same_object) pair.interrupted = i;
    }
    if (pair.interrupted || pair.second_passing) return;
    for (std::size_t i = pair.second + 1; i < failing_.size() && !pair.resumed; ++i) {
      const Event& event = failing_[i];
      if (event.thread != first || !tells_of_work(event, object, of_second)) continue;
      pair.resumed = i;
    }
  }

  std::span<const Event> failing_;
  std::span<const Event> passing_;
  Alignment alignment_;
  std::vector<std::size_t> wrote_failing_;
  std::vector<std::size_t> wrote_passing_;
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

std::optional<FlippedPair> find_flipped(std::span<const Event> failing,
                                        std::span<const Event> passing) {
  return PairSearch(failing, passing).run();
}

}  // namespace heddle::campaign
