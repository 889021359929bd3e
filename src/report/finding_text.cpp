#include "report/finding_text.h"

#include <fmt/format.h>

#include "report/status_line.h"

namespace heddle::reports {

namespace {

constexpr std::size_t kShown = 12;

}  // namespace

std::vector<std::string> evidence_lines(const campaign::Judgement& judgement, std::size_t frames) {
  std::vector<std::string> lines;
  for (const campaign::Evidence& part : judgement.evidence) {
    std::string line = part.what;
    for (std::size_t i = 0; i < part.locks.size(); ++i) {
      line += fmt::format("{}{}", i == 0 ? ", holding " : "; ", part.locks[i]);
    }
    lines.push_back(line + ":");
    const std::size_t shown = part.frames.size() < frames ? part.frames.size() : frames;
    for (std::size_t i = 0; i < shown; ++i) lines.push_back("    " + part.frames[i]);
    if (shown < part.frames.size()) {
      lines.back() += fmt::format("   (and {} more)", part.frames.size() - shown);
    }
  }
  return lines;
}

std::string findings_text(const campaign::CampaignResult& result) {
  std::string text;
  std::size_t shown = 0;
  for (const campaign::FindingCount& finding : result.findings) {
    if (shown == 0) text += fmt::format("{}:\n", counted(result.findings.size(), "finding"));
    if (++shown > kShown) continue;
    text +=
        fmt::format("  {} ({}, {}): {}\n", finding.judgement.finding, finding.judgement.detector,
                    counted(finding.count, "run"), finding.judgement.message);
  }
  if (shown > kShown) text += fmt::format("  and {} more\n", shown - kShown);
  if (result.detection_dropped > 0) {
    text += fmt::format(
        "detectors had no memory for {}: what they report is true, what they do not report may be "
        "there (--memory gives them more)\n",
        counted(result.detection_dropped, "access or lock"));
  }
  return text;
}

}  // namespace heddle::reports
