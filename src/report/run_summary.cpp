#include "report/run_summary.h"

#include <fmt/core.h>

#include <algorithm>

#include "report/finding_text.h"
#include "report/status_line.h"

namespace heddle::reports {

namespace {

using campaign::CampaignResult;
using campaign::StoppedBy;

constexpr double kLowFidelity = 95.0;  // below, it is told what that means

std::string_view why(StoppedBy reason) {
  switch (reason) {
    case StoppedBy::failure:
      return "stopped at the first failure";
    case StoppedBy::budget:
      return "the budget is used up";
    case StoppedBy::saturation:
      return "nothing new has come for a long time";
    case StoppedBy::exhausted:
      return "every schedule within the bound has been run";
    case StoppedBy::interrupted:
      return "interrupted";
  }
  return "";
}

}  // namespace

std::string why_inconclusive(const CampaignResult& result, const RunOptions& options) {
  if (result.totals.runs == 0 && result.failures.empty() &&
      result.stopped_by == StoppedBy::budget) {
    return "The time was up before the first run had ended, so nothing is known. Give more with "
           "--for.";
  }
  if (options.engine != EngineKind::controlled || result.stopped_by == StoppedBy::interrupted ||
      result.totals.runs == 0) {
    return {};
  }
  if (result.became_another && result.failures.empty()) {
    return "The controlled engine could control nothing: the program becomes another one (exec), "
           "where heddle does not follow. Name that one after '--', and set its environment before "
           "'heddle'.";
  }
  if (result.took_control) {
    if (!result.failures.empty()) return {};
    if (result.totals.controlled_calls == 0 && result.totals.uncontrolled_calls > 0) {
      return "The controlled engine could control nothing: its threads wait for each other in ways "
             "that no call shows (OpenMP's are such). Use --engine free.";
    }
    return {};
  }
  return "The controlled engine could control nothing: the runtime never got into the program. See "
         "'heddle doctor -- PROG', build it with 'heddle c++', or use --engine free.";
}

ExitStatus run_exit_status(const CampaignResult& result, const RunOptions& options) {
  if (!std::ranges::all_of(result.failures, &campaign::Failure::stray)) return kExitFailureFound;
  if (!result.failures.empty()) return kExitInconclusive;
  if (result.stopped_by == StoppedBy::interrupted) return kExitInconclusive;
  if (!why_inconclusive(result, options).empty()) return kExitInconclusive;
  if (!result.internal_error.empty()) return kExitInconclusive;
  if (!result.write_error.empty()) return kExitBadUsage;
  return kExitNothingFound;
}

static std::string runs_line(const CampaignResult& result, const RunOptions& options) {
  const campaign::CampaignTotals& totals = result.totals;
  // Saved cases that fail come first, and may be all there is.
  if (totals.runs == 0 && !result.failures.empty()) {
    return fmt::format("no new runs; {}\n", why(result.stopped_by));
  }
  std::string text = fmt::format("{} in {:.1f} s", counted(totals.runs, "run"), totals.seconds);
  if (options.engine == EngineKind::controlled) {
    text += fmt::format(", {}, control {}, fidelity {}",
                        counted(totals.distinct_schedules, "distinct schedule"),
                        percent(result.took_control ? totals.control_percent() : 0.0),
                        percent(totals.fidelity_percent()));
  }
  return text + fmt::format("; {} (seed {})\n", why(result.stopped_by), result.seed);
}

std::string run_summary(const CampaignResult& result, const RunOptions& options) {
  const campaign::CampaignTotals& totals = result.totals;
  std::string text = runs_line(result, options);
  if (result.resumed_from > 0) {
    text += fmt::format("{} of them made before\n", result.resumed_from);
  } else if (options.resume) {
    text += result.inherited ? "no such campaign here: a new one, with what the last one learned\n"
                             : "no campaign of this program to go on with: began from nothing\n";
  }
  if (totals.points_skipped > 0) {
    text +=
        fmt::format("scheduling points: {}; {} were none, since nobody else could notice them\n",
                    totals.steps, counted(totals.points_skipped, "other access"));
  }
  for (const campaign::MetricResult& metric : result.coverage) {
    if (metric.tasks == 0 && !options.until_saturation && options.coverage.empty()) continue;
    text += fmt::format("coverage {}: {}, {}; the last new one in run {}\n", metric.name,
                        counted(metric.tasks, "task"), campaign::unseen_text(metric.unseen),
                        metric.last_new_run);
    if (&metric - result.coverage.data() == 3) break;  // heddle coverage shows all
  }
  if (result.coverage_dropped > 0) {
    text += fmt::format(
        "metrics had no memory for {} accesses, locks or tasks: more is covered than they count "
        "(--memory gives more)\n",
        result.coverage_dropped);
  }
  if (result.failures.empty()) {
    text += "no failure found\n";
  } else {
    text += fmt::format("{} in {}:\n", counted(result.failures.size(), "failure"),
                        counted(totals.failing_runs, "failing run"));
    for (const campaign::Failure& failure : result.failures) {
      text += fmt::format("  {}  {}, first in run {}{}\n", failure.id,
                          counted(failure.count, "run"), failure.first_run,
                          failure.replays > 0 ? ", reproduced " + failure.reproduced : "");
    }
  }
  if (std::ranges::any_of(result.failures, &campaign::Failure::stray)) {
    text +=
        "the timeout did not come again in any replay: the machine may have stalled; the hunt went "
        "on\n";
  }
  text += findings_text(result, options.hints);
  for (const std::string& sentence : result.health) text += "note: " + sentence + "\n";
  if (!result.uncontrolled.empty()) {
    text += "outside control:";
    for (const auto& [name, count] : result.uncontrolled) {
      text += fmt::format(" {} ({})", name, count);
    }
    text += "\n";
  }
  if (totals.fidelity_percent() < kLowFidelity) {
    text += fmt::format(
        "fidelity: {} of {} made again came out the same; something outside heddle's control "
        "decides (the manual says "
        "what may, and what helps)\n",
        totals.checks_same, counted(totals.checks, "run"));
  }
  if (totals.watchdog_handovers > 0) {
    text += fmt::format("a thread blocked or worked unseen {} and was passed over\n",
                        counted(totals.watchdog_handovers, "time"));
  }
  if (result.addresses_vary) {
    text +=
        "addresses could not be fixed here (personality() is refused), so fidelity may suffer\n";
  }
  if (!result.internal_error.empty()) {
    text += fmt::format("heddle's own limit was reached: {}\n", result.internal_error);
  }
  return text;
}

}  // namespace heddle::reports
