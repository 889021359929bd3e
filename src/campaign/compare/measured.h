// What `heddle compare` found out about one configuration. Plain data.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "campaign/compare/interval.h"
#include "campaign/json_text.h"

namespace heddle::campaign {

struct Measured {
  std::string configuration;  // Configuration::text
  std::uint64_t number = 0;   // place in the grid, from 1
  std::uint64_t runs = 0;
  std::uint64_t failing_runs = 0;
  std::uint64_t first_failing_run = 0;  // 0: none failed
  double seconds = 0;                   // spent in runs
  std::uint64_t distinct_schedules = 0;
  std::uint64_t covered_tasks = 0;  // of the metric that is shown
  std::uint64_t steps = 0;
  std::uint64_t disturbances = 0;
  std::uint64_t controlled_calls = 0;
  std::uint64_t uncontrolled_calls = 0;
  bool took_control = false;
  std::vector<Json> failures;  // as in run's JSON (failure_json), one per signature

  double error_rate() const {
    return runs == 0 ? 0 : static_cast<double>(failing_runs) / static_cast<double>(runs);
  }
  Interval interval() const { return wilson_95(failing_runs, runs); }
  double seconds_per_run() const { return runs == 0 ? 0 : seconds / static_cast<double>(runs); }
  std::optional<double> seconds_per_failure() const {
    if (failing_runs == 0) return std::nullopt;
    return seconds / static_cast<double>(failing_runs);
  }
};

// The best first: the highest rate of failing runs, then the least time per failing run, then the most schedules, then the
// order of the grid.
void sort_measured(std::vector<Measured>& measured);

Json measured_json(const Measured& measured);
// Throws what nlohmann::json throws when something is missing.
Measured measured_from_json(const Json& json);

}  // namespace heddle::campaign
