// Which strategy each run uses: the one the user named, or the portfolio's choice.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "campaign/options.h"
#include "campaign/plan_maker.h"
#include "campaign/portfolio.h"
#include "campaign/run_record.h"

namespace heddle::campaign {

class StrategyChooser {
 public:
  StrategyChooser(const RunOptions& options, std::uint64_t campaign_seed);

  // The last run of the round that begins here.
  std::uint64_t last_of_round(std::uint64_t first_run) const;

  // For each run once, ascending.
  StrategySettings choose(std::uint64_t run, const Knowledge& knowledge);

  // For each run in ascending order, at the end of its round.
  void learn(const RunRecord& record);

 private:
  StrategySettings fixed_;
  std::optional<Portfolio> portfolio_;
};

}  // namespace heddle::campaign
