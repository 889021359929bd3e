// Pairs of places that no run has covered though each place was seen at the same object: what a run can aim at.
//
// Learns from the tasks of any metric that has such pairs (reads-from, DUPairs, HBPair and its starred form); what is covered counts
// over all runs of the campaign.
#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <set>
#include <vector>

#include "campaign/run_record.h"
#include "campaign/state_bytes.h"

namespace heddle::campaign {

class AimPlan {
 public:
  static constexpr std::uint64_t kTries = 3;  // for each pair

  bool has_target() const { return !targets_.empty(); }
  // The pair that was tried least, as settings of strategy `aim`. Only if there is one.
  StrategySettings next();

  // For each run in ascending order, at the end of its round.
  void learn(const RunRecord& record);

  void save(StateWriter& to) const;
  void restore(StateReader& from);

 private:
  struct Pair {
    std::uint64_t first, second;  // places
    auto operator<=>(const Pair&) const = default;
  };
  struct Target {
    std::uint64_t tried;
    Pair pair;
    auto operator<=>(const Target&) const = default;
  };
  struct Task {
    std::uint64_t object;
    Pair pair;
    auto operator<=>(const Task&) const = default;
  };
  struct Places {
    std::set<std::uint64_t> firsts;
    std::set<std::uint64_t> seconds;
  };

  void cover(const Task& task);
  void offer(const Pair& pair);

  std::set<Task> tasks_;
  std::map<std::uint64_t, Places> objects_;
  std::set<Pair> covered_;
  std::map<Pair, std::uint64_t> tried_;
  std::set<Target> targets_;  // the least tried first
};

}  // namespace heddle::campaign
