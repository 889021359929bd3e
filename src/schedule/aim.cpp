#include "schedule/aim.h"

namespace heddle {

void Aim::begin_run(const StrategyContext& context, Prng& prng) {
  others_.begin_run(context, prng);
  first_ = SiteId{static_cast<std::uint64_t>(context.settings.arguments[0])};
  second_ = SiteId{static_cast<std::uint64_t>(context.settings.arguments[1])};
  by_ = kNoThread;
  done_ = first_.value == 0 || second_.value == 0;
  yields_ = 0;
  for (std::uint32_t& passed : passed_) passed = 0;
}

// Before the first step, for it; after it, so that it stays the last.
bool Aim::waits(const PendingOperation& candidate) const {
  if (passed_[candidate.thread.value] == candidate.points + 1) return false;
  if (by_ == kNoThread) return candidate.site == second_;
  return candidate.object == object_ && !is_read_only(candidate.kind);
}

std::size_t Aim::second_step(const SchedulePoint& point) const {
  if (by_ == kNoThread) return kNoCandidate;
  for (std::size_t i = 0; i < point.candidates.size(); ++i) {
    const PendingOperation& candidate = point.candidates[i];
    if (candidate.stall == 0 && candidate.thread != by_ && candidate.site == second_ &&
        candidate.object == object_) {
      return i;
    }
  }
  return kNoCandidate;
}

// Only where somebody already waits for it: the object is known then.
std::size_t Aim::first_step(const SchedulePoint& point) const {
  if (by_ != kNoThread) return kNoCandidate;
  for (const PendingOperation& waiting : point.candidates) {
    if (waiting.site != second_) continue;
    for (std::size_t i = 0; i < point.candidates.size(); ++i) {
      const PendingOperation& candidate = point.candidates[i];
      if (candidate.stall == 0 && candidate.thread != waiting.thread && candidate.site == first_ &&
          candidate.object == waiting.object) {
        return i;
      }
    }
  }
  return kNoCandidate;
}

std::size_t Aim::among_others(const SchedulePoint& point, Prng& prng) {
  if (point.current_yields) ++yields_;
  const auto [moving, waiting] =
      draw_apart(point, prng, [&](const PendingOperation& candidate) { return waits(candidate); });
  if (waiting == kNoCandidate) return others_.pick(point, prng);
  const bool impatient = yields_ > kPatience * point.candidates.size();
  if (moving != kNoCandidate && !impatient) return moving;
  if (point.current_yields && !impatient) return default_candidate(point);
  yields_ = 0;
  passed_[point.candidates[waiting].thread.value] = point.candidates[waiting].points + 1;
  return waiting;
}

void Aim::run(const PendingOperation& chosen) {
  if (by_ == kNoThread) {
    if (chosen.site != first_) return;
    by_ = chosen.thread;
    object_ = chosen.object;
  } else if (chosen.object == object_ && chosen.thread != by_ && chosen.site == second_) {
    done_ = true;
  } else if (chosen.object == object_ && !is_read_only(chosen.kind)) {
    by_ = chosen.site == first_ ? chosen.thread
                                : kNoThread;  // undone, unless it is the same step again
  }
}

std::size_t Aim::pick(const SchedulePoint& point, Prng& prng) {
  if (done_) return others_.pick(point, prng);
  std::size_t chosen = second_step(point);
  if (chosen == kNoCandidate) chosen = first_step(point);
  if (chosen == kNoCandidate) chosen = among_others(point, prng);
  run(point.candidates[chosen]);
  return chosen;
}

}  // namespace heddle
