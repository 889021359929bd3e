// Which strategy each run uses: the one the user named, the portfolio's choice, or the next prefix of a systematic search.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>

#include "campaign/aim_plan.h"
#include "campaign/confirm_plan.h"
#include "campaign/dfs_plan.h"
#include "campaign/options.h"
#include "campaign/plan_maker.h"
#include "campaign/portfolio.h"
#include "campaign/reads_from_plan.h"
#include "campaign/run_record.h"

namespace heddle::campaign {

// What a run covered that no run before it had.
struct NewTasks {
  std::uint64_t all = 0;  // of the metrics chosen
  std::uint64_t reads_from = 0;
};

class StrategyChooser {
 public:
  StrategyChooser(const RunOptions& options, std::uint64_t campaign_seed);

  // The last run of the round that begins here.
  std::uint64_t last_of_round(std::uint64_t first_run) const;

  // For each run once, ascending. Nothing: every schedule has been chosen, or waits for what this round shows.
  std::optional<StrategyChoice> choose(std::uint64_t run, const Knowledge& knowledge);

  // For each run in ascending order, at the end of its round.
  void learn(const RunRecord& record, const NewTasks& fresh = {});

  // What several runs together predict: --confirm tries it.
  void aim_at(const Finding& finding) {
    if (confirm_) confirm_->aim_at(finding);
  }

  // Between rounds. False: it cannot be kept, and the campaign not be taken up again.
  bool save(StateWriter& to) const;
  void restore(StateReader& from);
  void seen(std::uint64_t schedule_hash);  // in a run before the restored state

 private:
  StrategySettings fixed_;
  std::optional<Portfolio> portfolio_;
  std::optional<DfsPlan> dfs_;
  std::optional<ReadsFromPlan> reads_from_;
  std::optional<ConfirmPlan> confirm_;
  std::optional<AimPlan> aim_;
  std::deque<DfsPlan::Prefix> chosen_;  // prefixes whose runs are not yet learned from
};

}  // namespace heddle::campaign
