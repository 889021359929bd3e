#include "campaign/explain_pair.h"

#include <algorithm>
#include <map>
#include <set>

#include "campaign/explain_align.h"
#include "campaign/explain_order.h"
#include "campaign/extent.h"
#include "campaign/trace_locks.h"

namespace heddle::campaign {

namespace {

constexpr std::size_t kFarthest = 2000;  // events between the two of a pair, where no value tells

// What a read-modify-write read is not what it left.
std::uint64_t read_value(const Event& event) {
  const bool both = event.kind == EventKind::atomic_rmw || event.kind == EventKind::atomic_cas;
  return both ? event.argument : event.value;
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
    if (!pair) return held_at_fork();
    find_interrupted(*pair);
    pair->ordered = is_ordered(*pair);
    return pair;
  }

 private:
  // The first event that read something else than it does where the program passes: what differs after it is its
  // consequence. A step of a counter comes last: in whatever order threads count, most of them never notice.
  std::optional<FlippedPair> wrong_read() const {
    std::optional<FlippedPair> counted;
    for (std::size_t i = 0; i < failing_.size(); ++i) {
      const std::size_t j = alignment_.to_passing[i];
      if (j == kAbsent || !is_memory_read(failing_[i].kind)) continue;
      if (read_value(failing_[i]) == read_value(passing_[j])) continue;
      const bool only_counts = counts(i, j) && goes_on_as_there(i, j);
      if (only_counts && counted) continue;
      const std::optional<FlippedPair> pair = pair_of_read(i, j);
      if (pair && !only_counts) return pair;
      if (pair) counted = pair;
    }
    return counted;
  }

  // It came before a write it should have seen, or after one that should have come later.
  std::optional<FlippedPair> pair_of_read(std::size_t i, std::size_t j) const {
    const std::size_t here = wrote_failing_[i];
    const std::size_t there = wrote_passing_[j];
    // The same writer: it wrote something else, and why is to be found at an earlier event or not in the trace.
    if (here != kAbsent && alignment_.to_passing[here] == there) return missed_count(i, j);
    if (here == kAbsent && there == kAbsent) return std::nullopt;
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
    return std::nullopt;
  }

  // The last step of a counter before it is the same in both, but one came later that it should have seen.
  std::optional<FlippedPair> missed_count(std::size_t i, std::size_t j) const {
    if (!counts(wrote_failing_[i], wrote_passing_[j])) return std::nullopt;
    for (std::size_t k = 0; k < j; ++k) {
      if (passing_[k].thread == failing_[i].thread || !overlap(passing_[k], failing_[i])) continue;
      const std::size_t late = alignment_.to_failing[k];
      if (late == kAbsent || late < i || !counts(late, k)) continue;
      return FlippedPair{.first = i, .second = late};
    }
    return std::nullopt;
  }

  // Both add the same to what they find.
  bool counts(std::size_t i, std::size_t j) const {
    const std::uint64_t added = added_by(failing_, i);
    return added != 0 && added == added_by(passing_, j);
  }

  // By the read or the write of x += n, or by both at once; 0 if it is nothing of the kind.
  static std::uint64_t added_by(std::span<const Event> events, std::size_t number) {
    const Event& event = events[number];
    if (event.kind == EventKind::atomic_rmw) return event.value - event.argument;
    const auto is_part = [&](std::size_t other, EventKind kind) {
      return other != kAbsent && events[other].kind == kind && events[other].object == event.object;
    };
    if (event.kind == EventKind::read) {
      const std::size_t after = next_of_thread(events, number);
      return is_part(after, EventKind::write) ? events[after].value - event.value : 0;
    }
    if (event.kind != EventKind::write) return 0;
    std::size_t before = number;
    do {
      if (before-- == 0) return 0;
    } while (events[before].thread != event.thread);
    return is_part(before, EventKind::read) ? event.value - events[before].value : 0;
  }

  static std::size_t next_of_thread(std::span<const Event> events, std::size_t number) {
    const ThreadId thread = events[number].thread;
    do {
      ++number;
    } while (number < events.size() && events[number].thread != thread);
    return number < events.size() ? number : kAbsent;
  }

  // The thread's next events are the same in both.
  bool goes_on_as_there(std::size_t i, std::size_t j) const {
    constexpr int kNext = 8;
    for (int k = 0; k < kNext; ++k) {
      i = next_of_thread(failing_, i);
      j = next_of_thread(passing_, j);
      if (i == kAbsent || j == kAbsent) return true;  // one of them was over
      if (alignment_.to_passing[i] != j) return false;
    }
    return true;
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
      if (late == kAbsent ? went_elsewhere(k, i) || has_come(k, i) : late < i) continue;
      if (has_begun(write.thread, i)) return k;
      if (k == there) best = k;
    }
    return best;
  }

  // The thread has done there what event `number` of the passing trace is, as often, before event `before` of the failing one: that
  // the two were not matched does not mean that it is still to come.
  bool has_come(std::size_t number, std::size_t before) const {
    const Event& event = passing_[number];
    const auto same = [&](const Event& other) {
      return other.thread == event.thread && other.kind == event.kind && other.site == event.site &&
             other.object == event.object;
    };
    return std::ranges::count_if(failing_.first(before), same) >=
           std::ranges::count_if(passing_.first(number + 1), same);
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

  // A child is forked while another thread holds a lock that is free at the fork where the program passes. The child has a copy
  // that nobody gives back; what it does with it is not in the trace.
  std::optional<FlippedPair> held_at_fork() const {
    for (std::size_t fork = 0; fork < failing_.size(); ++fork) {
      const std::size_t there = alignment_.to_passing[fork];
      if (failing_[fork].kind != EventKind::fork || there == kAbsent) continue;
      const std::map<ObjectId, std::size_t> held_there = held_by_others(passing_, there);
      for (const auto& [lock, taken] : held_by_others(failing_, fork)) {
        if (held_there.contains(lock)) continue;
        FlippedPair pair{.first = taken, .second = fork};
        for (std::size_t i = fork + 1; i < failing_.size() && !pair.resumed; ++i) {
          const bool gives = failing_[i].object == lock && gives_lock(failing_[i].kind);
          if (gives && failing_[i].thread == failing_[taken].thread) pair.resumed = i;
        }
        return pair;
      }
    }
    return std::nullopt;
  }

  // The locks that other threads than that of event `number` hold then, and the events at which they took them.
  static std::map<ObjectId, std::size_t> held_by_others(std::span<const Event> events,
                                                        std::size_t number) {
    std::map<ObjectId, std::size_t> held;
    for (std::size_t i = 0; i < number; ++i) {
      if (events[i].thread == events[number].thread) continue;
      if (takes_lock(events[i])) held.emplace(events[i].object, i);
      if (gives_lock(events[i].kind)) held.erase(events[i].object);
    }
    return held;
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
        if (has_come(j, failing_.size())) break;
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
    if (pair.second_passing) return;
    // The same step once more, of a loop or another call, is no sign of a work that was interrupted.
    const bool again =
        pair.interrupted && failing_[*pair.interrupted].site == failing_[pair.second].site;
    if (pair.interrupted && !again) return;
    for (std::size_t i = pair.second + 1; i < failing_.size() && !pair.resumed; ++i) {
      const Event& event = failing_[i];
      if (event.thread != first || !tells_of_work(event, object, of_second)) continue;
      pair.resumed = i;
    }
    if (pair.resumed) pair.interrupted.reset();
  }

  std::span<const Event> failing_;
  std::span<const Event> passing_;
  Alignment alignment_;
  std::vector<std::size_t> wrote_failing_;
  std::vector<std::size_t> wrote_passing_;
};

}  // namespace

std::optional<FlippedPair> find_flipped(std::span<const Event> failing,
                                        std::span<const Event> passing) {
  return PairSearch(failing, passing).run();
}

}  // namespace heddle::campaign
