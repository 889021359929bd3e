// Which metrics a campaign keeps.
#pragma once

#include <string>
#include <vector>

#include "campaign/options.h"
#include "coverage/catalog.h"

namespace heddle::campaign {

// By 001's own criteria good, and it needs no plain accesses, so it costs next to nothing.
inline constexpr const char* kDefaultMetric = "HBPair*";

// The first one is shown while running. Empty: none (`--coverage none`).
std::vector<std::string> chosen_metrics(const RunOptions& options);
MetricMask metrics_of(const RunOptions& options);

}  // namespace heddle::campaign
