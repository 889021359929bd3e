#include "campaign/finding_tally.h"

#include <algorithm>
#include <set>
#include <utility>

#include "campaign/findings.h"
#include "campaign/uninstrumented.h"
#include "campaign/unseen_order.h"

namespace heddle::campaign {

namespace {

// The two places of "finding | kind | detector | place | place".
std::set<std::string> places_in(const std::string& signature) {
  std::set<std::string> places;
  const std::string_view kBar = " | ";
  std::string_view rest = signature;
  for (int part = 0; part < 5; ++part) {
    const std::size_t bar = rest.find(kBar);
    if (part >= 3) places.emplace(rest.substr(0, bar));
    if (bar == std::string_view::npos) break;
    rest.remove_prefix(bar + kBar.size());
  }
  return places;
}

}  // namespace

std::string_view certainty(const FindingCount& count) {
  const std::string_view kind = count.judgement.finding;
  if (kind != finding_name(FindingKind::race) && kind != finding_name(FindingKind::lock_order)) {
    return {};
  }
  if (count.confirmed_run != 0) return "confirmed";
  return count.judgement.detector == "eraser" ? "candidate" : "predicted";
}

void FindingTally::confirm(FindingCount& count) const {
  if (count.judgement.finding != finding_name(FindingKind::lock_order)) return;
  const std::set<std::string> places = places_in(count.judgement.signature);
  for (const auto& [waiting, run] : deadlocks_) {
    if (count.confirmed_run == 0 && std::ranges::includes(waiting, places)) {
      count.confirmed_run = run;
    }
  }
}

void FindingTally::see_deadlock(std::uint64_t run, const std::set<std::string>& places) {
  if (!deadlocks_.emplace(places, run).second) return;
  for (FindingCount& count : counts_) confirm(count);
}

bool FindingTally::predict(const LockGraph::Circle& circle, const Oracle& oracle) {
  if (oracle.suppressed(circle.finding, circle.evidence)) return false;
  SiteNames sites(circle.evidence.modules);
  FindingCount count;
  count.judgement = describe_circle(circle, sites);
  if (!by_signature_.emplace(count.judgement.signature, counts_.size()).second) return false;
  count.first_run = circle.evidence.input.plan.run;
  count.over_runs = circle.runs;
  confirm(count);
  counts_.push_back(std::move(count));
  return true;
}

void FindingTally::see(const RunRecord& record, const Oracle& oracle, Run run, FailureKind kind) {
  const bool failed = kind != FailureKind::none && kind != FailureKind::finding;
  passing_runs_ += failed ? 0 : 1;
  if (record.findings.empty()) return;
  SiteNames sites(record.modules);
  std::set<std::string> seen;  // a run counts once
  for (const Finding& finding : record.findings) {
    unseen_orders_ += has_unseen_order(finding, record) ? 1 : 0;
    if (oracle.suppressed(finding, record)) continue;
    Judgement judgement = describe_finding(finding, record, sites);
    if (!seen.insert(judgement.signature).second) continue;
    const auto at = by_signature_.find(judgement.signature);
    // What only neighbours of a failure show has no run of its own to point at.
    if (at == by_signature_.end() && run == Run::neighbour) continue;
    if (at == by_signature_.end()) {
      by_signature_.emplace(judgement.signature, counts_.size());
      counts_.push_back({});
      counts_.back().judgement = std::move(judgement);
      if (finding.kind == FindingKind::race) {
        for (std::string& name : uninstrumented_libraries(record.modules)) {
          not_instrumented_.insert(std::move(name));
        }
      }
      counts_.back().first_run = record.input.plan.run;
      confirm(counts_.back());
    }
    FindingCount& count = at == by_signature_.end() ? counts_.back() : counts_[at->second];
    count.count += run == Run::of_campaign ? 1 : 0;
    count.over_runs.clear();  // this run shows it alone
    if (count.confirmed_run == 0 && side_by_side(record.outcome, finding)) {
      count.confirmed_run = record.input.plan.run;
    }
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
    count.confirmed_run = row.confirmed_run;
    count.over_runs = row.over_runs;
    counts_.push_back(std::move(count));
  }
}

std::vector<FindingRow> FindingTally::rows() const {
  std::vector<FindingRow> rows;
  for (const FindingCount& count : counts_) {
    const Judgement& judgement = count.judgement;
    rows.push_back({judgement.signature, judgement.finding, judgement.detector, judgement.message,
                    count.first_run, count.count, count.failing, count.passing, count.confirmed_run,
                    count.over_runs});
  }
  return rows;
}

std::vector<FindingCount> FindingTally::counts() const {
  std::vector<FindingCount> counts = counts_;
  for (FindingCount& count : counts) count.hint = is_hint(count);
  return counts;
}

}  // namespace heddle::campaign
