// Systematic search, the part inside the program: follows a prefix of choices, then takes the default. Which prefix comes
// next is the campaign's business (campaign/dfs_plan.h); the bound on preemptions (dfs:P) is kept there.
//
// A choice is a Decision of kind `run` with the step it is for, and in `candidates` the rank of the candidate to take:
// 0 is the default, 1 and up are the others, ascending by thread, but a thread that gives way comes last (the tool leaves
// that rank out). The tool knows ranks, not names, before a run.
#pragma once

#include "schedule/strategy.h"

namespace heddle {

class Dfs final : public Strategy {
 public:
  void begin_run(const StrategyContext& context, Prng& prng) override;
  std::size_t pick(const SchedulePoint& point, Prng& prng) override;

 private:
  std::span<const Decision> prefix_;
  std::size_t next_ = 0;
};

}  // namespace heddle
