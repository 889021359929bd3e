#include "campaign/compare/measured.h"

#include <algorithm>
#include <limits>

namespace heddle::campaign {

void sort_measured(std::vector<Measured>& measured) {
  const auto cost = [](const Measured& one) {
    return one.seconds_per_failure().value_or(std::numeric_limits<double>::infinity());
  };
  std::ranges::stable_sort(measured, [&](const Measured& a, const Measured& b) {
    if (a.error_rate() != b.error_rate()) return a.error_rate() > b.error_rate();
    if (cost(a) != cost(b)) return cost(a) < cost(b);
    if (a.distinct_schedules != b.distinct_schedules)
      return a.distinct_schedules > b.distinct_schedules;
    return a.number < b.number;
  });
}

Json measured_json(const Measured& measured) {
  const Interval interval = measured.interval();
  Json json{{"number", measured.number},
            {"noise", measured.configuration},
            {"runs", measured.runs},
            {"failing_runs", measured.failing_runs},
            {"error_rate", measured.error_rate()},
            {"interval_95", {interval.low, interval.high}},
            {"first_failing_run", measured.first_failing_run},
            {"seconds", measured.seconds},
            {"seconds_per_run", measured.seconds_per_run()},
            {"seconds_per_failure", nullptr},
            {"distinct_schedules", measured.distinct_schedules},
            {"covered_tasks", measured.covered_tasks},
            {"steps", measured.steps},
            {"disturbances", measured.disturbances},
            {"controlled_calls", measured.controlled_calls},
            {"uncontrolled_calls", measured.uncontrolled_calls},
            {"took_control", measured.took_control},
            {"failures", measured.failures}};
  if (const auto cost = measured.seconds_per_failure()) json["seconds_per_failure"] = *cost;
  return json;
}

Measured measured_from_json(const Json& json) {
  Measured measured;
  measured.number = json.at("number").get<std::uint64_t>();
  measured.configuration = json.at("noise").get<std::string>();
  measured.runs = json.at("runs").get<std::uint64_t>();
  measured.failing_runs = json.at("failing_runs").get<std::uint64_t>();
  measured.first_failing_run = json.at("first_failing_run").get<std::uint64_t>();
  measured.seconds = json.at("seconds").get<double>();
  measured.distinct_schedules = json.at("distinct_schedules").get<std::uint64_t>();
  measured.covered_tasks = json.at("covered_tasks").get<std::uint64_t>();
  measured.steps = json.at("steps").get<std::uint64_t>();
  measured.disturbances = json.at("disturbances").get<std::uint64_t>();
  measured.controlled_calls = json.at("controlled_calls").get<std::uint64_t>();
  measured.uncontrolled_calls = json.at("uncontrolled_calls").get<std::uint64_t>();
  measured.took_control = json.at("took_control").get<bool>();
  measured.failures = json.at("failures").get<std::vector<Json>>();
  return measured;
}

}  // namespace heddle::campaign
