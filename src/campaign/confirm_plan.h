// --confirm: what detectors predicted is tried on purpose. Every second run steers threads into the lock orders and races
// that earlier rounds reported, each of them some number of times; what then goes wrong is a failure with a schedule.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "campaign/plan_maker.h"
#include "campaign/state_bytes.h"

namespace heddle::campaign {

class ConfirmPlan {
 public:
  static constexpr std::uint64_t kTries = 16;  // for each target

  // Once per run, ascending.
  void choose(std::uint64_t run, StrategyChoice& choice);
  // For each run in ascending order, at the end of its round.
  void learn(const RunRecord& record);
  // What several runs together predict.
  void aim_at(const Finding& finding);

  void save(StateWriter& to) const;
  void restore(StateReader& from);

 private:
  struct Target {
    std::array<std::uint64_t, 3> places;
    std::uint64_t tried;
  };

  std::vector<Target> targets_;  // in the order found
  std::uint64_t next_ = 0;
};

}  // namespace heddle::campaign
