#include "campaign/explain_align.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace heddle::campaign {

namespace {

using EventKey = std::tuple<ThreadId, EventKind, SiteId, ObjectId>;
using Occurrence = std::pair<EventKey, std::size_t>;

EventKey key_of(const Event& event) { return {event.thread, event.kind, event.site, event.object}; }

// Where each event of the first trace is in the second; npos where it is not.
constexpr std::size_t kAbsent = ~std::size_t{0};
std::vector<std::size_t> positions(std::span<const Event> of, std::span<const Event> in) {
  std::map<Occurrence, std::size_t> found;
  std::map<EventKey, std::size_t> counts;
  for (std::size_t i = 0; i < in.size(); ++i) found[{key_of(in[i]), counts[key_of(in[i])]++}] = i;
  counts.clear();
  std::vector<std::size_t> result;
  for (const Event& event : of) {
    const auto at = found.find({key_of(event), counts[key_of(event)]++});
    result.push_back(at == found.end() ? kAbsent : at->second);
  }
  return result;
}

bool is_memory(const Event& event) { return is_plain_access(event.kind) || is_atomic(event.kind); }

}  // namespace

bool takes_lock(const Event& event) {
  switch (event.kind) {
    case EventKind::mutex_lock:
    case EventKind::mutex_trylock:
    case EventKind::mutex_timedlock:
    case EventKind::spin_lock:
    case EventKind::spin_trylock:
    case EventKind::rwlock_rdlock:
    case EventKind::rwlock_tryrdlock:
    case EventKind::rwlock_timedrdlock:
    case EventKind::rwlock_wrlock:
    case EventKind::rwlock_trywrlock:
    case EventKind::rwlock_timedwrlock:
      return event.result == 0;
    default:
      return false;
  }
}

bool gives_lock(EventKind kind) {
  return kind == EventKind::mutex_unlock || kind == EventKind::spin_unlock ||
         kind == EventKind::rwlock_unlock;
}

std::vector<std::vector<ObjectId>> held_locks(std::span<const Event> events) {
  std::map<ThreadId, std::vector<ObjectId>> held;
  std::vector<std::vector<ObjectId>> result;
  for (const Event& event : events) {
    std::vector<ObjectId>& mine = held[event.thread];
    if (takes_lock(event)) mine.push_back(event.object);
    if (gives_lock(event.kind)) std::erase(mine, event.object);
    const bool waits =
        event.kind == EventKind::cond_wait || event.kind == EventKind::cond_timedwait;
    if (waits && !mine.empty()) mine.pop_back();
    result.push_back(mine);
  }
  return result;
}

bool conflict(const Event& a, const Event& b) {
  if (a.thread == b.thread || a.object != b.object) return false;
  if (a.kind <= EventKind::thread_cancel || b.kind <= EventKind::thread_cancel) return false;
  const ObjectKind kind = object_kind(a.object);
  if (kind == ObjectKind::none || kind == ObjectKind::thread || kind == ObjectKind::clock) {
    return false;
  }
  return !is_read_only(a.kind) || !is_read_only(b.kind);
}

std::optional<FlippedPair> find_flipped(std::span<const Event> failing,
                                        std::span<const Event> passing) {
  const std::vector<std::size_t> other = positions(failing, passing);
  std::optional<FlippedPair> best;
  bool best_is_memory = false;
  for (std::size_t second = 0; second < failing.size(); ++second) {
    const bool memory = is_memory(failing[second]);
    if (other[second] == kAbsent || (best && (best_is_memory || !memory))) continue;
    // Of all that came too early, the last write is what this event met.
    for (std::size_t first = second; first-- > 0;) {
      if (other[first] == kAbsent || other[first] < other[second]) continue;
      if (!conflict(failing[first], failing[second])) continue;
      const bool writes = !is_read_only(failing[first].kind);
      if (best && best->second == second && !writes) continue;
      FlippedPair pair;
      pair.first = first;
      pair.second = second;
      best = pair;
      best_is_memory = memory;
      if (writes) break;
    }
  }
  if (!best) return best;
  for (std::size_t i = best->first; i-- > 0;) {
    const Event& event = failing[i];
    if (event.thread != failing[best->second].thread) continue;
    if (event.object != failing[best->second].object) continue;
    best->before = i;
    break;
  }
  return best;
}

}  // namespace heddle::campaign
