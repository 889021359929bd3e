#include "campaign/strategy_chooser.h"

#include <string_view>

namespace heddle::campaign {

StrategyChooser::StrategyChooser(const RunOptions& options, std::uint64_t campaign_seed)
    : fixed_(options.strategy) {
  if (options.engine != EngineKind::controlled) return;
  const std::string_view name(fixed_.name);
  if (options.confirm && name != "dfs") confirm_.emplace();
  if (name.empty() || name == "portfolio" || name == "reads-from")
    portfolio_.emplace(campaign_seed);
  if (name == "reads-from") reads_from_.emplace(campaign_seed);
  if (portfolio_) aim_.emplace();
  if (name == "dfs") dfs_.emplace(static_cast<std::uint32_t>(fixed_.arguments[0]));
}

std::uint64_t StrategyChooser::last_of_round(std::uint64_t first_run) const {
  return last_run_of_round(first_run);
}

std::optional<StrategyChoice> StrategyChooser::choose(std::uint64_t run,
                                                      const Knowledge& knowledge) {
  StrategyChoice choice;
  choice.strategy = fixed_;
  if (portfolio_) {
    choice.strategy = portfolio_->choose(run, {knowledge.contended_sites, aim_->has_target()});
    if (std::string_view(choice.strategy.name) == "aim") choice.strategy = aim_->next();
    choice.one_in_so_many_stalls = portfolio_->one_in_so_many_stalls();
  }
  if (reads_from_) reads_from_->choose(run, choice);
  if (confirm_) confirm_->choose(run, choice);
  if (dfs_) {
    std::optional<DfsPlan::Prefix> prefix = dfs_->next();
    if (!prefix) return std::nullopt;
    choice.prefix = std::make_shared<const std::vector<Decision>>(prefix->choices);
    chosen_.push_back(*std::move(prefix));
  }
  return choice;
}

void StrategyChooser::learn(const RunRecord& record, const NewTasks& fresh) {
  if (reads_from_) reads_from_->learn(record, fresh.reads_from);
  if (confirm_) confirm_->learn(record);
  if (aim_) aim_->learn(record);
  if (portfolio_) {
    portfolio_->learn(record.input.plan.run,
                      {record.outcome.schedule_hash, fresh.all > 0, record.outcome.stall_ns > 0});
  }
  if (dfs_ && !chosen_.empty()) {
    dfs_->ran(chosen_.front(), record.widths);
    chosen_.pop_front();
  }
}

bool StrategyChooser::save(StateWriter& to) const {
  if (portfolio_) portfolio_->save(to);
  if (reads_from_) reads_from_->save(to);
  if (confirm_) confirm_->save(to);
  if (aim_) aim_->save(to);
  return !dfs_ || dfs_->save(to);
}

void StrategyChooser::restore(StateReader& from) {
  if (portfolio_) portfolio_->restore(from);
  if (reads_from_) reads_from_->restore(from);
  if (confirm_) confirm_->restore(from);
  if (aim_) aim_->restore(from);
  if (dfs_) dfs_->restore(from);
}

void StrategyChooser::seen(std::uint64_t schedule_hash) {
  if (portfolio_) portfolio_->seen(schedule_hash);
}

}  // namespace heddle::campaign
