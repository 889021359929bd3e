#include "report/status_line.h"

#include <fmt/core.h>

#include <cmath>

#include "coverage/catalog.h"

namespace heddle::reports {

std::string counted(std::uint64_t count, std::string_view noun) {
  const bool hisses = noun.ends_with("ch") || noun.ends_with('s');
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : (hisses ? "es" : "s"));
}

std::string percent(double value) {
  if (value >= 100.0) return "100%";
  return fmt::format("{:.1f}%", std::floor(value * 10.0) / 10.0);
}

std::string status_line(const campaign::CampaignTotals& totals, EngineKind engine) {
  const double rate = totals.seconds > 0 ? static_cast<double>(totals.runs) / totals.seconds : 0;
  // What is found stands where a narrow terminal does not cut it off.
  std::string text = fmt::format("{}, {:.0f}/s, {}", counted(totals.runs, "run"), rate,
                                 counted(totals.failures, "failure"));
  if (engine == EngineKind::controlled) {
    text += fmt::format(", {} (+{})", counted(totals.distinct_schedules, "schedule"),
                        totals.new_lately);
  }
  if (totals.metric < metric_catalog().size()) {
    text += fmt::format(", {} {} (+{})", metric_catalog()[totals.metric].name, totals.tasks,
                        totals.new_tasks);
  }
  if (engine != EngineKind::controlled) return text;
  return text + fmt::format(", control {}, fidelity {}", percent(totals.control_percent()),
                            percent(totals.fidelity_percent()));
}

}  // namespace heddle::reports
