// `reads-from`: schedules that gave new reads-from pairs are kept, and later runs begin with a part of one and go on
// differently (after Wolff, Shi, Duck, Mathur, Roychoudhury: Greybox Fuzzing for Concurrency Testing, ASPLOS 2024).
//
// Every second run is a kept schedule up to a random decision, then goes on as the portfolio would have begun. Schedules that were
// seldom used come first. What a round learns counts from the next round on, so --jobs changes nothing.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "campaign/plan_maker.h"
#include "campaign/state_bytes.h"

namespace heddle::campaign {

class ReadsFromPlan {
 public:
  explicit ReadsFromPlan(std::uint64_t campaign_seed) : seed_(campaign_seed) {}

  // Once per run, ascending.
  void choose(std::uint64_t run, StrategyChoice& choice);
  // For each run in ascending order, at the end of its round.
  void learn(const RunRecord& record, std::uint64_t new_pairs);

  void save(StateWriter& to) const;
  void restore(StateReader& from);

  std::size_t kept() const { return corpus_.size(); }

 private:
  struct Kept {
    SharedList<Decision> decisions;
    std::uint64_t new_pairs;
    std::uint64_t used;
  };

  std::uint64_t seed_;
  std::vector<Kept> corpus_;  // in the order found
  std::uint64_t stored_ = 0;  // decisions in all
};

}  // namespace heddle::campaign
