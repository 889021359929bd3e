#include "report/compare_text.h"

#include <fmt/core.h>

#include <algorithm>

#include "campaign/plan_json.h"
#include "report/status_line.h"

namespace heddle::reports {

namespace {

using campaign::ComparisonResult;
using campaign::Interval;
using campaign::Json;
using campaign::Measured;

std::vector<Measured> sorted(const ComparisonResult& result) {
  std::vector<Measured> measured = result.measured;
  campaign::sort_measured(measured);
  return measured;
}

std::string time_text(double seconds) {
  if (seconds < 0.0995) return fmt::format("{:.1f} ms", seconds * 1e3);
  return seconds < 1 ? fmt::format("{:.0f} ms", seconds * 1e3) : fmt::format("{:.1f} s", seconds);
}

std::string quoted(const std::string& text) { return fmt::format("\"{}\"", text); }

bool nothing_controlled(const ComparisonResult& result, const RunOptions& options) {
  return options.engine == EngineKind::controlled && result.runs() > 0 && !result.took_control();
}

}  // namespace

std::string compare_table(const ComparisonResult& result, const RunOptions& options) {
  const bool controlled = options.engine == EngineKind::controlled;
  const std::string metric = result.metric.empty() ? "coverage" : result.metric;
  std::string text =
      fmt::format("{:>7}  {:>15}  {:>13}  {:>8}  {:>11}  {:>9}  {:>8}  noise\n", "rate",
                  "95 % interval", "failing/runs", "time/run", "per failure", "schedules", metric);
  for (const Measured& one : sorted(result)) {
    const Interval interval = one.interval();
    const auto cost = one.seconds_per_failure();
    text += fmt::format(
        "{:>5.1f} %  {:>15}  {:>13}  {:>8}  {:>11}  {:>9}  {:>{}}  {}\n", 100 * one.error_rate(),
        fmt::format("{:.1f}..{:.1f} %", 100 * interval.low, 100 * interval.high),
        fmt::format("{}/{}", one.failing_runs, one.runs), time_text(one.seconds_per_run()),
        cost ? time_text(*cost) : "-", controlled ? fmt::format("{}", one.distinct_schedules) : "-",
        result.metric.empty() ? "-" : fmt::format("{}", one.covered_tasks),
        std::max<std::size_t>(8, metric.size()), one.configuration);
  }
  text += fmt::format(
      "\n{} of {} in {:.1f} s, {} engine, seed {}; {} failed\n", counted(result.runs(), "run"),
      counted(result.configurations, "configuration"), result.seconds,
      campaign::engine_name(options.engine), result.seed, counted(result.failing_runs(), "run"));
  if (result.resumed > 0) {
    text += fmt::format("{} taken over from before\n", counted(result.resumed, "configuration"));
  }
  for (const Json& failure : result.failures()) {
    text += fmt::format("  {}  {}  {}\n", failure.at("id").get<std::string>(),
                        counted(failure.at("count").get<std::uint64_t>(), "run"),
                        failure.at("message").get<std::string>());
  }
  if (result.stopped_by == campaign::StoppedBy::interrupted) {
    text += fmt::format("{} of {} done; go on with the same command and --resume\n",
                        result.measured.size(), counted(result.configurations, "configuration"));
  }
  return text;
}

std::string compare_csv(const ComparisonResult& result) {
  std::string text =
      "rank,number,noise,runs,failing_runs,error_rate,interval_low,interval_high,seconds_per_run,"
      "seconds_per_failure,distinct_schedules,first_failing_run,covered_tasks\n";
  std::size_t rank = 0;
  for (const Measured& one : sorted(result)) {
    const Interval interval = one.interval();
    const auto cost = one.seconds_per_failure();
    text += fmt::format("{},{},{},{},{},{:.6f},{:.6f},{:.6f},{:.6f},{},{},{},{}\n", ++rank,
                        one.number, quoted(one.configuration), one.runs, one.failing_runs,
                        one.error_rate(), interval.low, interval.high, one.seconds_per_run(),
                        cost ? fmt::format("{:.6f}", *cost) : "", one.distinct_schedules,
                        one.first_failing_run, one.covered_tasks);
  }
  return text;
}

std::string compare_json(const ComparisonResult& result, const campaign::Program& program,
                         const RunOptions& options) {
  std::uint64_t schedules = 0;
  for (const Measured& one : result.measured) {
    schedules = std::max(schedules, one.distinct_schedules);
  }
  Json json;
  json["version"] = kCompareJsonVersion;
  json["tool_version"] = HEDDLE_VERSION;
  json["program"] = program.arguments.front();
  json["arguments"] = program.arguments;
  json["build_id"] = program.build_id;
  json["seed"] = result.seed;
  json["engine"] = campaign::engine_name(options.engine);
  json["level"] = campaign::level_name(options.level);
  json["strategy"] = result.strategy;
  json["runs"] = result.runs();
  json["seconds"] = result.seconds;
  json["metric"] = result.metric.empty() ? Json() : Json(result.metric);
  json["distinct_schedules"] = schedules;  // the most that one configuration saw
  json["control_percent"] = result.control_percent();
  json["stopped_by"] = campaign::stopped_by_name(result.stopped_by);
  json["failing_runs"] = result.failing_runs();
  json["configurations"] = Json::array();
  for (const Measured& one : sorted(result)) {
    Json entry = campaign::measured_json(one);
    entry.erase("failures");
    json["configurations"].push_back(std::move(entry));
  }
  json["failures"] = result.failures();
  return campaign::readable(json);
}

ExitStatus compare_exit_status(const ComparisonResult& result, const RunOptions& options) {
  if (result.failing_runs() > 0) return kExitFailureFound;
  if (result.stopped_by == campaign::StoppedBy::interrupted) return kExitInconclusive;
  if (nothing_controlled(result, options)) return kExitInconclusive;
  return result.write_error.empty() ? kExitNothingFound : kExitBadUsage;
}

}  // namespace heddle::reports
