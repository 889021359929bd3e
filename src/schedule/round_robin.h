// Round robin: each thread runs for a quantum of scheduling points, then the next in order of creation.
// Deterministic: a baseline, and the first thing to try on a bug that any regular alternation shows.
#pragma once

#include "schedule/strategy.h"

namespace heddle {

class RoundRobin final : public Strategy {
 public:
  void begin_run(const StrategyContext& context, Prng& prng) override;
  std::size_t pick(const SchedulePoint& point, Prng& prng) override;
  std::uint64_t goes_on_for(const SchedulePoint& point) override;
  void went_on(std::uint64_t points) override { used_ += points; }

 private:
  std::uint64_t quantum_ = 1;
  std::uint64_t used_ = 0;  // points the current thread has had in this turn
};

}  // namespace heddle
