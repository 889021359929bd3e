// What detectors reported over a campaign, and which of it is to be believed.
//
// A race or a lock order is wrong by itself. What breaks atomicity may be meant (a flag that is polled, a queue that is
// checked before it is locked again): it is a hint until the outcome depends on it, that is until it was seen in runs that
// failed and in none of many that passed.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "campaign/failure.h"
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
};

class FindingTally {
 public:
  // The passing runs that an atomicity violation must be absent from before it is believed.
  static constexpr std::uint64_t kManyPassing = 20;

  enum class Run { of_campaign, neighbour };

  // `kind`: why it failed, if it did. A run that fails by what a detector found counts as passing: the program was content.
  void see(const RunRecord& record, const Oracle& oracle, Run run, FailureKind kind);

  void restore(const std::vector<FindingRow>& rows, std::uint64_t passing_runs);
  std::vector<FindingRow> rows() const;
  // In the order found.
  std::vector<FindingCount> counts() const;

 private:
  bool is_hint(const FindingCount& count) const;

  std::vector<FindingCount> counts_;
  std::map<std::string, std::size_t> by_signature_;
  std::uint64_t passing_runs_ = 0;
};

}  // namespace heddle::campaign
