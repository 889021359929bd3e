#include "campaign/finding_tally.h"

#include <set>
#include <utility>

#include "campaign/findings.h"

namespace heddle::campaign {

void FindingTally::see(const RunRecord& record, const Oracle& oracle, Run run, FailureKind kind) {
  const bool failed = kind != FailureKind::none && kind != FailureKind::finding;
  passing_runs_ += failed ? 0 : 1;
  if (record.findings.empty()) return;
  SiteNames sites(record.modules);
  std::set<std::string> seen;  // a run counts once
  for (const Finding& finding : record.findings) {
    if (oracle.suppressed(finding, record)) continue;
    Judgement judgement = describe_finding(finding, record, sites);
    if (!seen.insert(judgement.signature).second) continue;
    const auto at = by_signature_.find(judgement.signature);
    // What only neighbours of a failure show has no run of its own to point at.
    if (at == by_signature_.end() && run == Run::neighbour) continue;
    if (at == by_signature_.end()) {
      by_signature_.emplace(judgement.signature, counts_.size());
      counts_.push_back({std::move(judgement), record.input.plan.run});
    }
    FindingCount& count = at == by_signature_.end() ? counts_.back() : counts_[at->second];
    count.count += run == Run::of_campaign ? 1 : 0;
    (failed ? count.failing : count.passing) += 1;
  }
}

bool FindingTally::is_hint(const FindingCount& count) const {
  if (count.judgement.finding != finding_name(FindingKind::atomicity)) return false;
  return count.failing == 0 || count.passing > 0 || passing_runs_ < kManyPassing;
}

void FindingTally::restore(const std::vector<FindingRow>& rows, std::uint64_t passing_runs) {
  passing_runs_ = passing_runs;
  for (const FindingRow& row : rows) {
    by_signature_.emplace(row.signature, counts_.size());
    FindingCount count;
    count.judgement.kind = FailureKind::finding;
    count.judgement.message = row.message;
    count.judgement.signature = row.signature;
    count.judgement.finding = row.finding;
    count.judgement.detector = row.detector;
    count.first_run = row.first_run;
    count.count = row.count;
    count.failing = row.failing;
    count.passing = row.passing;
    counts_.push_back(std::move(count));
  }
}

std::vector<FindingRow> FindingTally::rows() const {
  std::vector<FindingRow> rows;
  for (const FindingCount& count : counts_) {
    const Judgement& judgement = count.judgement;
    rows.push_back({judgement.signature, judgement.finding, judgement.detector, judgement.message,
                    count.first_run, count.count, count.failing, count.passing});
  }
  return rows;
}

std::vector<FindingCount> FindingTally::counts() const {
  std::vector<FindingCount> counts = counts_;
  for (FindingCount& count : counts) count.hint = is_hint(count);
  return counts;
}

}  // namespace heddle::campaign
