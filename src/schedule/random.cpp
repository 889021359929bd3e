#include "schedule/random.h"

namespace heddle {

void Random::begin_run(const StrategyContext& context, Prng& prng) {
  stalls_.begin_run(prng);
  stickiness_ = static_cast<std::uint64_t>(context.settings.arguments[0]);
}

std::size_t Random::pick(const SchedulePoint& point, Prng& prng) {
  if (const std::size_t stalled = stalls_.pick(point, prng); stalled != kNoCandidate)
    return stalled;
  if (point.current_yields) return any_candidate(point, point.current, prng);
  if (point.current_can_run && prng.chance(stickiness_, 100)) return default_candidate(point);
  return any_candidate(point, kNoThread, prng);
}

}  // namespace heddle
