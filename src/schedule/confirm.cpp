#include "schedule/confirm.h"

namespace heddle {

void Confirm::begin_run(const StrategyContext& context, Prng& prng) {
  stalls_.begin_run(prng);
  for (std::size_t i = 0; i < kMostPlaces; ++i) {
    places_[i] = SiteId{static_cast<std::uint64_t>(context.settings.arguments[i])};
  }
  met_ = context.met;
  next_ = kNoThread;
  yields_ = 0;
  for (std::uint32_t& passed : passed_) passed = 0;
}

bool Confirm::waits(const PendingOperation& candidate) const {
  if (candidate.site.value == 0 || passed_[candidate.thread.value] == candidate.points + 1) {
    return false;
  }
  for (const SiteId place : places_) {
    if (candidate.site == place) return true;
  }
  return false;
}

void Confirm::let_go(const PendingOperation& candidate) {
  passed_[candidate.thread.value] = candidate.points + 1;
  yields_ = 0;
}

// Two that stand before the same memory, one of them to write: they go one after the other.
std::size_t Confirm::meeting(const SchedulePoint& point, Prng& prng) {
  for (std::size_t i = 0; i < point.candidates.size(); ++i) {
    const PendingOperation& a = point.candidates[i];
    if (a.stall != 0 || !waits(a) || !is_plain_access(a.kind)) continue;
    for (std::size_t j = i + 1; j < point.candidates.size(); ++j) {
      const PendingOperation& b = point.candidates[j];
      if (b.stall != 0 || !waits(b) || b.object != a.object) continue;
      if (is_read_only(a.kind) && is_read_only(b.kind)) continue;
      const bool a_first = prng.chance(1, 2);
      let_go(a);
      let_go(b);
      next_ = a_first ? b.thread : a.thread;
      if (met_.size() == 2) {
        met_[0] = a.site;
        met_[1] = b.site;
      }
      return a_first ? i : j;
    }
  }
  return kNoCandidate;
}

std::size_t Confirm::pick(const SchedulePoint& point, Prng& prng) {
  if (next_ != kNoThread) {
    const std::size_t other = find_candidate(point, next_);
    next_ = kNoThread;
    if (other != kNoCandidate) return other;
  }
  if (const std::size_t met = meeting(point, prng); met != kNoCandidate) return met;
  if (const std::size_t stalled = stalls_.pick(point, prng); stalled != kNoCandidate) {
    return stalled;
  }
  if (point.current_yields) ++yields_;
  const auto [moving, waiting] =
      draw_apart(point, prng, [&](const PendingOperation& candidate) { return waits(candidate); });
  const bool impatient = yields_ > kPatience * point.candidates.size();
  if (moving != kNoCandidate && (waiting == kNoCandidate || !impatient)) return moving;
  if (waiting == kNoCandidate || (point.current_yields && !impatient)) {
    return default_candidate(point);
  }
  let_go(point.candidates[waiting]);
  return waiting;
}

}  // namespace heddle
