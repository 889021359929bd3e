#include "report/coverage_text.h"

#include <fmt/core.h>

#include <algorithm>

#include "campaign/json_text.h"
#include "report/status_line.h"

namespace heddle::reports {

namespace {

using campaign::CoverageReport;
using campaign::Json;
using campaign::MetricReport;

constexpr std::size_t kShownMissing = 8;
constexpr std::size_t kShownYields = 8;

void add_list(std::string& text, const std::vector<std::string>& lines, std::size_t most) {
  for (std::size_t i = 0; i < std::min(lines.size(), most); ++i) {
    text += fmt::format("    {}\n", lines[i]);
  }
  if (lines.size() > most) text += fmt::format("    and {} more\n", lines.size() - most);
}

}  // namespace

std::string curve_text(const std::vector<std::pair<std::uint64_t, std::uint64_t>>& curve,
                       std::uint64_t runs, const CoverageTextOptions& options) {
  if (curve.empty() || runs == 0) return {};
  const std::uint64_t top = curve.back().second;
  std::vector<unsigned> heights;  // 1..height
  std::size_t next = 0;
  std::uint64_t now = 0;
  for (unsigned column = 0; column < options.width; ++column) {
    const std::uint64_t until = std::max<std::uint64_t>(1, runs * (column + 1) / options.width);
    while (next < curve.size() && curve[next].first <= until) now = curve[next++].second;
    heights.push_back(static_cast<unsigned>((now * options.height + top - 1) / top));
  }
  std::string text;
  for (unsigned line = options.height; line > 0; --line) {
    const std::string label = line == options.height ? std::to_string(top) : "";
    text += fmt::format("  {:>7} |", label);
    for (const unsigned height : heights) text += height == line ? '*' : height > line ? '.' : ' ';
    while (text.ends_with(' ')) text.pop_back();
    text += '\n';
  }
  text += fmt::format("  {:>7} +{:-<{}}\n", "", "", options.width);
  text += fmt::format("  {:>7}  1{:>{}}\n", "", fmt::format("run {}", runs), options.width - 1);
  return text;
}

std::string coverage_text(const CoverageReport& report, const CoverageTextOptions& options) {
  std::string text =
      fmt::format("{}: campaign {} ({}, seed {}), {}\n", report.program, report.campaign,
                  report.strategy, report.seed, counted(report.runs, "run"));
  if (report.metrics.empty()) {
    return text + "no metric was kept; run with --coverage NAME, see 'heddle list metrics'\n";
  }
  text += fmt::format("\n{:<12} {:>7} {:>9} {:>9}  {}\n", "metric", "tasks", "all runs*",
                      "last new", "unseen");
  for (const MetricReport& metric : report.metrics) {
    text += fmt::format("{:<12} {:>7} {:>9} {:>9}  {}\n", metric.name, metric.tasks,
                        metric.tasks_of_program, metric.last_new_run,
                        campaign::unseen_text(metric.unseen));
  }
  text += fmt::format("* of all {} of this build in the store\n",
                      counted(report.campaigns, "campaign"));
  for (const MetricReport& metric : report.metrics) {
    text += fmt::format(
        "\n{}{}\n", metric.name,
        metric.weight == metric.tasks ? "" : fmt::format(" (weighs {} in all)", metric.weight));
    text += curve_text(metric.curve, report.runs, options);
    text += "  by strategy:";
    for (std::size_t i = 0; i < std::min(metric.yields.size(), kShownYields); ++i) {
      const campaign::StrategyYield& yield = metric.yields[i];
      text += fmt::format("{} {} {} in {}", i == 0 ? "" : ",", yield.strategy, yield.tasks,
                          counted(yield.runs, "run"));
    }
    text += "\n";
    if (!metric.missing.empty()) {
      text +=
          fmt::format("  never covered though its parts were seen ({}):\n", metric.missing.size());
      add_list(text, metric.missing, options.tasks ? metric.missing.size() : kShownMissing);
    }
    if (options.tasks) {
      text += "  covered:\n";
      add_list(text, metric.task_texts, metric.task_texts.size());
    }
  }
  return text;
}

std::string coverage_csv(const CoverageReport& report) {
  std::string text = "metric,run,tasks\n";
  for (const MetricReport& metric : report.metrics) {
    for (const auto& [run, tasks] : metric.curve) {
      text += fmt::format("{},{},{}\n", metric.name, run, tasks);
    }
    if (metric.curve.empty() || metric.curve.back().first != report.runs) {
      text += fmt::format("{},{},{}\n", metric.name, report.runs, metric.tasks);
    }
  }
  return text;
}

std::string coverage_json(const CoverageReport& report) {
  Json json{{"version", 1},
            {"program", report.program},
            {"build_id", report.build_id},
            {"campaign", report.campaign},
            {"campaigns", report.campaigns},
            {"strategy", report.strategy},
            {"seed", report.seed},
            {"runs", report.runs}};
  json["metrics"] = Json::object();
  for (const MetricReport& metric : report.metrics) {
    Json entry{{"tasks", metric.tasks},
               {"tasks_of_program", metric.tasks_of_program},
               {"weight", metric.weight},
               {"last_new_run", metric.last_new_run},
               {"unseen", metric.unseen.unseen},
               {"unseen_low", metric.unseen.low},
               {"unseen_high", metric.unseen.high},
               {"chance_of_new", metric.unseen.chance_of_new}};
    entry["curve"] = Json::array();
    for (const auto& [run, tasks] : metric.curve) entry["curve"].push_back({run, tasks});
    entry["strategies"] = Json::object();
    for (const campaign::StrategyYield& yield : metric.yields) {
      entry["strategies"][yield.strategy] = {{"runs", yield.runs}, {"tasks", yield.tasks}};
    }
    entry["covered"] = metric.task_texts;
    entry["missing"] = metric.missing;
    json["metrics"][metric.name] = std::move(entry);
  }
  return json.dump(1, ' ', false, campaign::Json::error_handler_t::replace) + "\n";
}

}  // namespace heddle::reports
