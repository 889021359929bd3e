#include "campaign/strategy_chooser.h"

#include <cstring>

#include "campaign/contended_accesses.h"

namespace heddle::campaign {

StrategyChooser::StrategyChooser(const RunOptions& options, std::uint64_t campaign_seed)
    : fixed_(options.strategy) {
  const bool composed = std::strcmp(fixed_.name, "portfolio") == 0 || fixed_.name[0] == '\0';
  if (composed && options.engine == EngineKind::controlled) portfolio_.emplace(campaign_seed);
}

std::uint64_t StrategyChooser::last_of_round(std::uint64_t first_run) const {
  return last_run_of_round(first_run);
}

StrategySettings StrategyChooser::choose(std::uint64_t run, const Knowledge& knowledge) {
  if (!portfolio_) return fixed_;
  return portfolio_->choose(run, knowledge.contended_sites);
}

void StrategyChooser::learn(const RunRecord& record) {
  if (portfolio_) portfolio_->learn(record.input.plan.run, record.outcome.schedule_hash);
}

}  // namespace heddle::campaign
