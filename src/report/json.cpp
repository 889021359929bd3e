#include "report/json.h"

#include "campaign/failure_folder.h"
#include "campaign/json_text.h"
#include "campaign/plan_json.h"

namespace heddle::reports {

using campaign::Json;

std::string run_json(const campaign::CampaignResult& result, const campaign::Program& program,
                     const RunOptions& options) {
  const campaign::CampaignTotals& totals = result.totals;
  Json json;
  json["version"] = kRunJsonVersion;
  json["tool_version"] = HEDDLE_VERSION;
  json["program"] = program.arguments.front();
  json["arguments"] = program.arguments;
  json["build_id"] = program.build_id;
  json["seed"] = result.seed;
  json["engine"] = campaign::engine_name(options.engine);
  json["level"] = campaign::level_name(options.level);
  json["strategy"] = result.strategy;
  json["noise"] = options.noise_text;
  json["runs"] = totals.runs;
  json["resumed_from"] = result.resumed_from;
  json["seconds"] = totals.seconds;
  json["distinct_schedules"] = totals.distinct_schedules;
  json["control_percent"] = result.took_control ? totals.control_percent() : 0.0;
  json["fidelity_percent"] = totals.fidelity_percent();
  json["failing_runs"] = totals.failing_runs;
  json["steps"] = totals.steps;
  json["points_skipped"] = totals.points_skipped;
  json["watchdog_handovers"] = totals.watchdog_handovers;
  json["stragglers"] = totals.stragglers;
  json["addresses_vary"] = result.addresses_vary;
  json["uncontrolled_calls"] = Json::object();
  for (const auto& [name, count] : result.uncontrolled) json["uncontrolled_calls"][name] = count;
  json["stopped_by"] = campaign::stopped_by_name(result.stopped_by);
  json["health"] = result.health;
  json["failures"] = Json::array();
  for (const campaign::Failure& failure : result.failures) {
    json["failures"].push_back(campaign::failure_json(failure));
  }
  json["coverage"] = Json::object();
  for (const campaign::MetricResult& metric : result.coverage) {
    json["coverage"][metric.name] = {{"tasks", metric.tasks},
                                     {"weight", metric.weight},
                                     {"last_new_run", metric.last_new_run},
                                     {"flat", metric.flat},
                                     {"unseen", metric.unseen.unseen},
                                     {"unseen_low", metric.unseen.low},
                                     {"unseen_high", metric.unseen.high},
                                     {"chance_of_new", metric.unseen.chance_of_new}};
  }
  json["coverage_dropped"] = result.coverage_dropped;
  json["detection_dropped"] = result.detection_dropped;
  json["not_instrumented"] = result.not_instrumented;
  json["findings"] = Json::array();
  for (const campaign::FindingCount& finding : result.findings) {
    const std::string_view certainty = campaign::certainty(finding);
    json["findings"].push_back({{"finding", finding.judgement.finding},
                                {"detector", finding.judgement.detector},
                                {"message", finding.judgement.message},
                                {"signature", finding.judgement.signature},
                                {"first_run", finding.first_run},
                                {"count", finding.count},
                                {"status", finding.hint ? "hint" : "finding"},
                                {"certainty", certainty.empty() ? Json() : Json(certainty)},
                                {"confirmed_run", finding.confirmed_run},
                                {"over_runs", finding.over_runs},
                                {"failing", finding.failing},
                                {"passing", finding.passing},
                                {"evidence", campaign::evidence_json(finding.judgement)}});
  }
  return campaign::readable(json);
}

}  // namespace heddle::reports
