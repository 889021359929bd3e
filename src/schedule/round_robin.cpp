#include "schedule/round_robin.h"

#include "schedule/stalls.h"

namespace heddle {

void RoundRobin::begin_run(const StrategyContext& context, Prng&) {
  quantum_ = static_cast<std::uint64_t>(context.settings.arguments[0]);
  used_ = 0;
}

std::size_t RoundRobin::pick(const SchedulePoint& point, Prng&) {
  if (point.current_can_run && !point.current_yields && ++used_ < quantum_) {
    return default_candidate(point);
  }
  used_ = 0;
  return next_in_turn(point);
}

std::uint64_t RoundRobin::goes_on_for(const SchedulePoint&) {
  return used_ + 1 < quantum_ ? quantum_ - used_ - 1 : 0;
}

}  // namespace heddle
