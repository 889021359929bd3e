// What detectors reported over a campaign, and which of it is to be believed.
//
// A race or a lock order is wrong by itself. What breaks atomicity may be meant (a flag that is polled, a queue that is
// checked before it is locked again): it is a hint until the outcome depends on it, that is until it was seen in runs that
// failed and in none of many that passed.
//
// A race or a lock order is predicted until a run shows it to happen: a deadlock with threads waiting at both places, or the
// two accesses side by side (--confirm).
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "campaign/failure.h"
#include "campaign/lock_graph.h"
#include "campaign/oracle.h"
#include "campaign/store/store.h"

namespace heddle::campaign {

struct FindingCount {
  Judgement judgement;
  std::uint64_t first_run = 0;
  std::uint64_t count = 0;  // runs of the campaign
  std::uint64_t failing =
      0;  // runs that failed for another reason, neighbours of a failure included
  std::uint64_t passing = 0;  // the same of runs that passed
  bool hint = false;
  std::vector<std::uint64_t>
      over_runs;                    // lock_graph.h: it takes these together; empty: one shows it
  std::uint64_t confirmed_run = 0;  // that showed it to happen; 0: none
};

// "predicted" or "confirmed" for races and lock orders, "candidate" for what eraser alone says; else empty.
std::string_view certainty(const FindingCount& count);

class FindingTally {
 public:
  // The passing runs that an atomicity violation must be absent from before it is believed.
  static constexpr std::uint64_t kManyPassing = 20;

  enum class Run { of_campaign, neighbour };

  // `kind`: why it failed, if it did. A run that fails by what a detector found counts as passing: the program was content.
  void see(const RunRecord& record, const Oracle& oracle, Run run, FailureKind kind);

  // A circle that no run shows alone. False: it is known, or not to be spoken of.
  bool predict(const LockGraph::Circle& circle, const Oracle& oracle);
  // The run came to a deadlock with threads waiting there: a lock order that predicted it is confirmed.
  void see_deadlock(std::uint64_t run, const std::set<std::string>& places);

  void restore(const std::vector<FindingRow>& rows, std::uint64_t passing_runs);
  std::vector<FindingRow> rows() const;
  // In the order found.
  std::vector<FindingCount> counts() const;
  // Left out because the order of their threads is not seen, counted in every run.
  std::uint64_t unseen_orders() const { return unseen_orders_; }
  // Libraries of the runs with races that are not: uninstrumented.h.
  const std::set<std::string>& not_instrumented() const { return not_instrumented_; }

 private:
  bool is_hint(const FindingCount& count) const;
  void confirm(FindingCount& count) const;

  std::vector<FindingCount> counts_;
  std::map<std::string, std::size_t> by_signature_;
  std::uint64_t passing_runs_ = 0;
  std::uint64_t unseen_orders_ = 0;
  std::set<std::string> not_instrumented_;
  std::map<std::set<std::string>, std::uint64_t> deadlocks_;  // by places; the first run
};

}  // namespace heddle::campaign
