#include "campaign/coverage_options.h"

#include <algorithm>

namespace heddle::campaign {

std::vector<std::string> chosen_metrics(const RunOptions& options) {
  std::vector<std::string> metrics = options.coverage;
  if (metrics.empty()) metrics = {kDefaultMetric};
  if (metrics.front() == "none") metrics.clear();
  if (metrics == std::vector<std::string>{"all"}) {
    metrics.clear();
    for (const MetricCatalogRow& row : metric_catalog()) metrics.emplace_back(row.name);
  }
  const std::string& wanted = options.saturating_metric;
  if (!wanted.empty() && std::ranges::find(metrics, wanted) == metrics.end()) {
    metrics.insert(metrics.begin(), wanted);
  }
  // The strategy that follows reads-from pairs must be told of them.
  if (std::string_view(options.strategy.name) == "reads-from" &&
      options.engine == EngineKind::controlled &&
      std::ranges::find(metrics, "reads-from") == metrics.end()) {
    metrics.emplace_back("reads-from");
  }
  return metrics;
}

MetricMask metrics_of(const RunOptions& options) {
  MetricMask mask = 0;
  const std::vector<std::string> metrics = chosen_metrics(options);
  for (std::size_t i = 0; i < metric_catalog().size(); ++i) {
    const bool wanted = std::ranges::find(metrics, metric_catalog()[i].name) != metrics.end();
    if (wanted) mask |= bit_of_metric(i);
  }
  return mask;
}

}  // namespace heddle::campaign
