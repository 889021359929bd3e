#include "campaign/coverage_report.h"

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <set>

#include "campaign/coverage_missing.h"
#include "campaign/store/coverage_rows.h"
#include "coverage/catalog.h"

namespace heddle::campaign {

namespace {

namespace fs = std::filesystem;

Result<void> describe_campaign(Store& store, const CoverageRequest& request,
                               CoverageReport& report) {
  Database& database = store.database();
  Result<void> found = database.each(
      "SELECT c.id, p.path, p.build_id, c.strategy, c.seed, c.program, "
      "(SELECT count(*) FROM campaigns o WHERE o.program=c.program) "
      "FROM campaigns c JOIN programs p ON p.id=c.program WHERE ?=0 OR c.id=? ORDER BY c.id",
      {number(request.number), number(request.number)}, [&](const Row& row) {
        report.campaign = row.number(0);
        report.program = row.text(1);
        report.build_id = row.text(2);
        report.strategy = row.text(3);
        report.seed = row.number(4);
        report.campaigns = row.number(6);
        store.look_at(row.number(0), row.number(5));
      });
  if (!found) return found;
  if (report.campaign == 0) {
    return Error{request.number == 0
                     ? fmt::format("'{}' holds no campaign yet; 'heddle run --out' makes one.",
                                   request.campaign.string())
                     : fmt::format("'{}' has no campaign number {}.", request.campaign.string(),
                                   request.number)};
  }
  Result<std::uint64_t> runs = store.count_runs();
  if (!runs) return runs.error();
  report.runs = *runs;
  return {};
}

Result<void> add_yields(Store& store, const std::string& metric, MetricReport& report) {
  return store.database().each(
      "SELECT s.text, r.runs, coalesce(t.tasks, 0) FROM "
      "(SELECT strategy, count(*) runs FROM runs WHERE campaign=?1 GROUP BY strategy) r "
      "JOIN strategies s ON s.id=r.strategy LEFT JOIN "
      "(SELECT u.strategy, count(*) tasks FROM covered c JOIN features f ON f.id=c.feature "
      " JOIN runs u ON u.campaign=c.campaign AND u.run=c.first_run "
      " WHERE c.campaign=?1 AND f.metric=?2 GROUP BY u.strategy) t ON t.strategy=r.strategy "
      "ORDER BY 3 DESC, 1",
      {number(store.campaign()), metric}, [&](const Row& row) {
        report.yields.push_back({row.text(0), row.number(1), row.number(2)});
      });
}

Result<void> add_program_total(Store& store, const std::string& metric, MetricReport& report) {
  const Result<std::uint64_t> total =
      store.database().one("SELECT count(*) FROM features WHERE program=? AND metric=?",
                           {number(store.program()), metric});
  if (!total) return total.error();
  report.tasks_of_program = *total;
  return {};
}

void add_curve(const CoverageTally::MetricTotal& total, MetricReport& report) {
  std::uint64_t count = 0;
  for (const std::uint64_t run : total.new_runs) {
    ++count;
    if (!report.curve.empty() && report.curve.back().first == run) {
      report.curve.back().second = count;
    } else {
      report.curve.emplace_back(run, count);
    }
  }
}

// Strategies by name, whatever their argument: hold has one per site.
void join_arguments(MetricReport& report) {
  std::map<std::string, StrategyYield> by_name;
  for (const StrategyYield& yield : report.yields) {
    const std::string name = yield.strategy.substr(0, yield.strategy.find(':'));
    StrategyYield& sum = by_name[name];
    sum.strategy = name;
    sum.runs += yield.runs;
    sum.tasks += yield.tasks;
  }
  report.yields.clear();
  for (auto& [name, yield] : by_name) report.yields.push_back(std::move(yield));
  std::ranges::stable_sort(report.yields, std::greater<>(), &StrategyYield::tasks);
}

}  // namespace

Result<CoverageReport> coverage_report(const CoverageRequest& request) {
  std::error_code ignored;
  const fs::path file = fs::is_directory(request.campaign, ignored)
                            ? request.campaign / "campaign.sqlite"
                            : request.campaign;
  if (!fs::exists(file, ignored)) {
    return Error{
        fmt::format("There is no campaign in '{}'; name the directory that 'heddle run "
                    "--out' wrote, such as heddle-out.",
                    request.campaign.string())};
  }
  Result<std::unique_ptr<Store>> store = Store::open(file);
  if (!store) return store.error();
  CoverageReport report;
  if (Result<void> found = describe_campaign(**store, request, report); !found) {
    return found.error();
  }
  CoverageTally tally;
  if (Result<void> loaded = load_coverage(**store, tally); !loaded) return loaded.error();
  for (const auto& [row, total] : tally.totals()) {
    MetricReport metric;
    metric.name = metric_catalog()[row].name;
    if (!request.metrics.empty() &&
        std::ranges::find(request.metrics, metric.name) == request.metrics.end()) {
      continue;
    }
    metric.tasks = total.tasks;
    metric.weight = total.weight;
    metric.last_new_run = total.last_new_run;
    metric.unseen = tally.estimate(row, report.runs);
    add_curve(total, metric);
    const std::vector<CoverageTally::Entry> entries = tally.entries_of(row);
    std::vector<TaskRecord> tasks;
    for (const CoverageTally::Entry& entry : entries) {
      tasks.push_back(entry.task);
      metric.task_texts.push_back(tally.names().text(entry.task));
    }
    metric.missing = missing_tasks(row, tasks, tally.names());
    Result<void> asked = add_yields(**store, metric.name, metric);
    if (asked) asked = add_program_total(**store, metric.name, metric);
    if (!asked) return asked.error();
    join_arguments(metric);
    report.metrics.push_back(std::move(metric));
  }
  return report;
}

}  // namespace heddle::campaign
