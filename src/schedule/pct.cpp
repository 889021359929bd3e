#include "schedule/pct.h"

namespace heddle {
namespace {

// Three bands: fresh threads above change points (d-1 .. 1, the later the lower) above threads that gave way.
constexpr std::uint64_t kFreshBand = std::uint64_t{1} << 63;
constexpr std::uint64_t kChangeBand = std::uint64_t{1} << 62;
constexpr std::uint64_t kGuessedSteps = 64;  // only the very first run has no figure

}  // namespace

void Pct::begin_run(const StrategyContext& context, Prng& prng) {
  stalls_.begin_run(prng);
  const auto depth = static_cast<std::size_t>(context.settings.arguments[0]);
  changes_ = depth > kMaxDepth ? kMaxDepth : depth - 1;
  const std::uint64_t steps =
      context.settings.expected_steps != 0 ? context.settings.expected_steps : kGuessedSteps;
  for (std::size_t i = 0; i < changes_; ++i) {
    changed_[i] = false;
    change_step_[i] = prng.between(1, steps);
  }
  lowest_ = kChangeBand;
  for (std::uint64_t& priority : priorities_) priority = 0;
}

std::uint64_t& Pct::priority(ThreadId thread, Prng& prng) {
  std::uint64_t& mine = priorities_[thread.value];
  if (mine == 0) mine = kFreshBand | prng.next();
  return mine;
}

void Pct::lower_at_change_points(const SchedulePoint& point, Prng& prng) {
  for (std::size_t i = 0; i < changes_; ++i) {
    // Not '==': points may pass unseen, and the change is then due at the next one.
    if (changed_[i] || point.step < change_step_[i]) continue;
    changed_[i] = true;
    priority(point.current, prng) = kChangeBand + (changes_ - i);
  }
}

std::size_t Pct::pick(const SchedulePoint& point, Prng& prng) {
  if (const std::size_t stalled = stalls_.pick(point, prng); stalled != kNoCandidate)
    return stalled;
  lower_at_change_points(point, prng);
  if (point.current_yields) priority(point.current, prng) = --lowest_;
  std::size_t best = kNoCandidate;
  std::uint64_t best_priority = 0;
  for (std::size_t i = 0; i < point.candidates.size(); ++i) {
    if (point.candidates[i].stall != 0) continue;
    const std::uint64_t mine = priority(point.candidates[i].thread, prng);
    if (mine > best_priority) {
      best = i;
      best_priority = mine;
    }
  }
  return best == kNoCandidate ? 0 : best;
}

}  // namespace heddle
