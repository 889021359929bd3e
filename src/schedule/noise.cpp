#include "schedule/noise.h"

namespace heddle {

void Noise::begin_run(const StrategyContext&, Prng& prng) { stalls_.begin_run(prng); }

std::size_t Noise::pick(const SchedulePoint& point, Prng& prng) {
  if (const std::size_t stalled = stalls_.pick(point, prng); stalled != kNoCandidate)
    return stalled;
  if (point.current_can_run && !point.current_yields) return default_candidate(point);
  return any_candidate(point, point.current, prng);
}

}  // namespace heddle
