#include "schedule/pos.h"

namespace heddle {
namespace {

bool race(const PendingOperation& a, const PendingOperation& b) {
  return a.object == b.object && !(is_read_only(a.kind) && is_read_only(b.kind));
}

}  // namespace

void Pos::begin_run(const StrategyContext&, Prng& prng) {
  stalls_.begin_run(prng);
  picks_ = 1;
  for (Slot& slot : slots_) slot = {};
}

std::size_t Pos::pick(const SchedulePoint& point, Prng& prng) {
  ++picks_;
  std::size_t best = kNoCandidate;
  for (std::size_t i = 0; i < point.candidates.size(); ++i) {
    const PendingOperation& candidate = point.candidates[i];
    if (candidate.stall != 0) continue;
    Slot& slot = slots_[candidate.thread.value];
    if (slot.seen + 1 != picks_ || slot.points != candidate.points) {
      slot.score = prng.next() | 1;
      slot.points = candidate.points;
    }
    slot.seen = picks_;
    if (point.current_yields && candidate.thread == point.current) slot.score = 0;
    if (best == kNoCandidate || slot.score > slots_[point.candidates[best].thread.value].score) {
      best = i;
    }
  }
  if (const std::size_t stalled = stalls_.pick(point, prng); stalled != kNoCandidate)
    best = stalled;
  if (best == kNoCandidate) best = 0;
  for (const PendingOperation& candidate : point.candidates) {
    if (candidate.thread == point.candidates[best].thread) continue;
    if (race(candidate, point.candidates[best])) slots_[candidate.thread.value].seen = 0;
  }
  // The thread that runs comes back with another operation even if its count does not say so.
  slots_[point.candidates[best].thread.value].seen = 0;
  return best;
}

}  // namespace heddle
