// What a campaign says of its coverage, and when it has seen enough: Campaign::saturated and its kin.
#include <algorithm>

#include "campaign/campaign.h"
#include "campaign/coverage_options.h"

namespace heddle::campaign {

namespace {

// Nothing new for this long, and for twice as long as it took to see all there was: there is hardly anything left.
constexpr std::uint64_t kLeastStretch = 100;
constexpr std::uint64_t kStretchFactor = 2;

constexpr std::uint64_t kLately = 100;

std::uint8_t row_of(std::string_view name) {
  const MetricCatalogRow* const row = find_metric(name);
  return row == nullptr ? CampaignTotals::kNoMetric
                        : static_cast<std::uint8_t>(row - metric_catalog().data());
}

}  // namespace

bool Campaign::is_flat(std::uint64_t runs, std::uint64_t last_new_run) {
  return runs - last_new_run >= std::max(kLeastStretch, kStretchFactor * last_new_run);
}

bool Campaign::saturated() const {
  const std::uint64_t runs = result_.totals.runs;
  if (options_.until_saturation && shown_metric_ != CampaignTotals::kNoMetric) {
    const std::string& name = options_.saturating_metric;
    const CoverageTally::MetricTotal* const total =
        tally_.find(name.empty() ? shown_metric_ : row_of(name));
    return is_flat(runs, total == nullptr ? 0 : total->last_new_run);
  }
  if (!options_.until_saturation && (options_.time_budget || options_.run_budget)) return false;
  if (options_.engine != EngineKind::controlled) return false;
  return is_flat(runs, last_new_run_);
}

NewTasks Campaign::merge_coverage(const RunRecord& record) {
  static const std::uint8_t reads_from = row_of("reads-from");
  const auto pairs = [&] {
    const CoverageTally::MetricTotal* const total = tally_.find(reads_from);
    return total == nullptr ? 0 : total->tasks;
  };
  const std::uint64_t before = pairs();
  NewTasks fresh;
  fresh.all = tally_.merge(record);
  fresh.reads_from = pairs() - before;
  return fresh;
}

void Campaign::note_coverage() {
  const std::vector<std::string> metrics = chosen_metrics(options_);
  if (metrics.empty()) return;
  shown_metric_ = row_of(metrics.front());
  CampaignTotals& totals = result_.totals;
  totals.metric = shown_metric_;
  const CoverageTally::MetricTotal* const total = tally_.find(shown_metric_);
  if (total == nullptr) return;
  totals.tasks = total->tasks;
  const std::uint64_t before = totals.runs > kLately ? totals.runs - kLately : 0;
  totals.new_tasks = static_cast<std::uint64_t>(total->new_runs.end() -
                                                std::ranges::upper_bound(total->new_runs, before));
}

void Campaign::finish_coverage() {
  result_.coverage_dropped = tally_.dropped();
  for (const std::string& name : chosen_metrics(options_)) {
    MetricResult metric;
    metric.name = name;
    const std::uint8_t row = row_of(name);
    if (const CoverageTally::MetricTotal* const total = tally_.find(row)) {
      metric.tasks = total->tasks;
      metric.weight = total->weight;
      metric.last_new_run = total->last_new_run;
      metric.unseen = tally_.estimate(row, result_.totals.runs);
    }
    metric.flat = is_flat(result_.totals.runs, metric.last_new_run);
    result_.coverage.push_back(std::move(metric));
  }
}

}  // namespace heddle::campaign
