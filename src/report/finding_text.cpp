#include "report/finding_text.h"

#include <fmt/core.h>

#include <algorithm>

#include "campaign/uninstrumented.h"
#include "report/status_line.h"

namespace heddle::reports {

namespace {

constexpr std::size_t kShown = 12;

// Why it is believed, where that is not plain.
std::string belief(const campaign::FindingCount& finding) {
  if (finding.failing == 0 || finding.passing > 0) return {};
  return fmt::format(", {} and none that passed", counted(finding.failing, "failing one"));
}

// "predicted", "confirmed in run 7", and how often it was seen.
std::string standing(const campaign::FindingCount& finding) {
  std::string text = finding.over_runs.empty() ? counted(finding.count, "run") : "no run alone";
  const std::string_view certainty = campaign::certainty(finding);
  if (!certainty.empty()) text = fmt::format("{}, {}", certainty, text);
  if (finding.confirmed_run != 0) {
    text =
        fmt::format("confirmed in run {}{}", finding.confirmed_run, text.substr(certainty.size()));
  }
  return text;
}

std::pair<std::string, std::size_t> list_text(const campaign::CampaignResult& result, bool hints) {
  std::string text;
  std::size_t count = 0;
  for (const campaign::FindingCount& finding : result.findings) {
    if (finding.hint != hints || ++count > kShown) continue;
    text +=
        fmt::format("  {} ({}, {}{}): {}\n", finding.judgement.finding, finding.judgement.detector,
                    standing(finding), belief(finding), finding.judgement.message);
  }
  if (count > kShown) text += fmt::format("  and {} more\n", count - kShown);
  return {text, count};
}

}  // namespace

std::vector<std::string> evidence_lines(const campaign::Judgement& judgement, std::size_t frames) {
  std::vector<std::string> lines;
  for (const campaign::Evidence& part : judgement.evidence) {
    std::string line = part.what;
    for (std::size_t i = 0; i < part.locks.size(); ++i) {
      line += fmt::format("{}{}", i == 0 ? ", holding " : "; ", part.locks[i]);
    }
    lines.push_back(line + ":");
    // Few fit: those of std::mutex::lock and the like say least.
    const std::size_t first = part.frames.size() > frames ? part.first_own : 0;
    const std::size_t shown = std::min(part.frames.size() - first, frames);
    for (std::size_t i = 0; i < shown; ++i) lines.push_back("    " + part.frames[first + i]);
    if (shown < part.frames.size()) {
      lines.back() += fmt::format("   (and {} more)", part.frames.size() - shown);
    }
  }
  return lines;
}

std::string findings_text(const campaign::CampaignResult& result, bool hints) {
  const auto [text_of_findings, found] = list_text(result, false);
  std::string text;
  if (found > 0) text = fmt::format("{}:\n{}", counted(found, "finding"), text_of_findings);
  const auto [text_of_hints, hinted] = list_text(result, true);
  if (hinted > 0) {
    text += fmt::format("{} of broken atomicity that no failure depends on{}\n",
                        counted(hinted, "hint"), hints ? ":" : " (--hints lists them)");
    if (hints) text += text_of_hints;
  }
  if (result.unseen_orders > 0) {
    text +=
        "races with threads of OpenMP's are left out: how they wait for each other is not seen, so "
        "what looks like a race "
        "may be none\n";
  }
  if (!result.not_instrumented.empty()) {
    text += fmt::format(
        "not instrumented: {}; what such a library keeps apart by itself is not seen, and then "
        "looks like a race (build it with the wrapper, or leave the race out: --suppressions)\n",
        campaign::few_of(std::vector<std::string>(result.not_instrumented.begin(),
                                                  result.not_instrumented.end())));
  }
  if (result.detection_dropped > 0) {
    text += fmt::format(
        "{} accesses, locks, lock orders or heap blocks were left out, for want of memory "
        "(--memory gives more) or because their thread is past the 1024th or was not made by "
        "pthread_create: what detectors report is true, what they do not report may be there\n",
        result.detection_dropped);
  }
  return text;
}

}  // namespace heddle::reports
