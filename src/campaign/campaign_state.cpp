// What a campaign writes down after every round, and how it goes on from there: Campaign::state and restore.
#include "campaign/campaign.h"
#include "campaign/state_bytes.h"
#include "campaign/store/coverage_rows.h"
#include "campaign/store/lock_rows.h"

namespace heddle::campaign {

Result<void> Campaign::open_ledger() {
  Result<std::unique_ptr<Ledger>> ledger =
      Ledger::open({&program_, &options_, result_.strategy, result_.seed});
  if (!ledger) return ledger.error();
  ledger_ = *std::move(ledger);
  if (const StoredCampaign* const earlier = ledger_->earlier()) {
    if (!restore(*earlier)) {
      return Error{
          "The last campaign here was kept by another build of heddle, or was too large to keep, "
          "and cannot be taken up again; leave out --resume or choose another directory with "
          "--out."};
    }
  } else if (!ledger_->inherited().empty()) {
    StateReader from(ledger_->inherited());
    Learned learned;
    learned.restore(from);
    if (from.ok()) {
      learned_ = std::move(learned);
      result_.inherited = true;
    }
  }
  if (options_.resume) {
    if (Result<void> loaded = load_lock_edges(ledger_->store(), locks_); !loaded) return loaded;
  }
  return {};
}

// What is learned comes first: a campaign with other settings can use that part alone.
std::string Campaign::state() const {
  StateWriter to;
  learned_.save(to);
  CampaignTotals totals = result_.totals;
  totals.seconds = seconds();
  to.put(totals);
  to.put(last_new_run_);
  std::vector<std::uint8_t> recent(recently_new_.begin(), recently_new_.end());
  to.list(recent);
  to.put(result_.took_control);
  to.put(std::uint64_t{result_.uncontrolled.size()});
  for (const auto& [name, count] : result_.uncontrolled) {
    to.text(name);
    to.put(count);
  }
  to.text(result_.internal_error);
  to.put(plans_.pinned());
  tally_.save(to);
  if (!chooser_.save(to)) return {};
  return to.take();
}

bool Campaign::restore(const StoredCampaign& earlier) {
  result_.seed = earlier.seed;
  plans_ = PlanMaker(options_, earlier.seed);
  chooser_ = StrategyChooser(options_, earlier.seed);
  if (earlier.merged > 0) {
    StateReader from(earlier.learned);
    learned_.restore(from);
    result_.totals = from.get<CampaignTotals>();
    last_new_run_ = from.get<std::uint64_t>();
    for (const std::uint8_t is_new : from.list<std::uint8_t>()) {
      recently_new_.push_back(is_new != 0);
    }
    result_.took_control = from.get<bool>();
    for (auto left = from.get<std::uint64_t>(); left > 0 && from.ok(); --left) {
      const std::string name = from.text();
      result_.uncontrolled[name] = from.get<std::uint64_t>();
    }
    result_.internal_error = from.text();
    looked_what_to_pin_ = true;
    plans_.pin(from.get<std::uint32_t>());
    tally_.restore(from);
    chooser_.restore(from);
    if (!from.ok() || !from.at_end() || result_.totals.runs != earlier.merged) return false;
    Result<void> loaded =
        ledger_->store().each_schedule_hash(earlier.merged, [&](std::uint64_t hash) {
          if (hash != 0) schedules_.insert(hash);
          chooser_.seen(hash);
        });
    if (!loaded || !load_coverage(ledger_->store(), tally_)) return false;
  }
  seconds_before_ = result_.totals.seconds;
  result_.resumed_from = earlier.merged;
  for (const FailureRow& row : earlier.failures) {
    by_signature_.emplace(row.signature, result_.failures.size());
    result_.failures.push_back(failure_of(row));
  }
  findings_.restore(earlier.findings, result_.totals.runs - result_.totals.failing_runs);
  // A campaign that had come to its end goes on for as long again; one that was cut short is finished.
  if (options_.run_budget && !earlier.stopped_by.empty() &&
      earlier.merged >= *options_.run_budget) {
    options_.run_budget = earlier.merged + *options_.run_budget;
  }
  return true;
}

}  // namespace heddle::campaign
