// Noise: the order is left alone; what disturbs it is the noise heuristic of the run, whose delays the engine turns into
// virtual time. So the running thread goes on until it yields, blocks or is delayed; who follows is drawn.
#pragma once

#include "schedule/stalls.h"
#include "schedule/strategy.h"

namespace heddle {

class Noise final : public Strategy {
 public:
  void begin_run(const StrategyContext& context, Prng& prng) override;
  std::size_t pick(const SchedulePoint& point, Prng& prng) override;

 private:
  Stalls stalls_;
};

}  // namespace heddle
