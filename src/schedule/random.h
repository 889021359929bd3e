// Random walk: every candidate equally likely at every point, except that the thread that got here keeps running with
// a given chance. Uniform choice switches so often that long undisturbed stretches never happen; stickiness cures it.
#pragma once

#include "schedule/stalls.h"
#include "schedule/strategy.h"

namespace heddle {

class Random final : public Strategy {
 public:
  void begin_run(const StrategyContext& context, Prng& prng) override;
  std::size_t pick(const SchedulePoint& point, Prng& prng) override;

 private:
  Stalls stalls_;
  std::uint64_t stickiness_ = 0;  // percent
};

}  // namespace heddle
