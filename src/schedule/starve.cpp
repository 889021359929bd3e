#include "schedule/starve.h"

#include "base/hash.h"

namespace heddle {

void Starve::begin_run(const StrategyContext& context, Prng& prng) {
  stalls_.begin_run(prng);
  const std::uint64_t steps =
      context.settings.expected_steps != 0 ? context.settings.expected_steps : 64;
  longest_ = context.settings.arguments[0] != 0
                 ? static_cast<std::uint64_t>(context.settings.arguments[0])
                 : steps;
  begin_stretch(0, prng);
}

void Starve::begin_stretch(std::uint64_t step, Prng& prng) {
  mode_ = prng.chance(1, 2) ? Mode::one_starves : Mode::only_one_runs;
  ends_at_ = step + prng.between(longest_ / 4 + 1, longest_ + 1);
  salt_ = prng.next();
}

std::size_t Starve::pick(const SchedulePoint& point, Prng& prng) {
  if (const std::size_t stalled = stalls_.pick(point, prng); stalled != kNoCandidate)
    return stalled;
  if (point.step >= ends_at_) begin_stretch(point.step, prng);
  // Ranked by path, so that the same thread is meant however many are alive at the moment.
  std::size_t chosen = kNoCandidate;
  std::uint64_t highest = 0;
  for (std::size_t i = 0; i < point.candidates.size(); ++i) {
    const PendingOperation& candidate = point.candidates[i];
    if (candidate.stall != 0) continue;
    if (point.current_yields && candidate.thread == point.current) continue;
    const std::uint64_t rank = combine(salt_, candidate.path_hash);
    if (chosen == kNoCandidate || rank > highest) {
      chosen = i;
      highest = rank;
    }
  }
  if (chosen == kNoCandidate) return default_candidate(point);
  if (mode_ == Mode::only_one_runs) return chosen;
  const ThreadId starving = point.candidates[chosen].thread;
  if (point.current_can_run && !point.current_yields && point.current != starving &&
      prng.chance(1, 2)) {
    return default_candidate(point);
  }
  return any_candidate(point, starving, prng);
}

}  // namespace heddle
