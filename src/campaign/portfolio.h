// `portfolio`: which strategy the next run uses. Rotates over several and gives more runs to what still finds new
// behaviour. What it learns counts from the next round on, so --jobs changes nothing.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "campaign/state_bytes.h"
#include "contract/run_plan.h"

namespace heddle::campaign {

// Rounds are short at first, when each result teaches much, and long later, when workers should not wait for each other.
// The last run of the round that begins with `first_run` (1-based).
std::uint64_t last_run_of_round(std::uint64_t first_run);

class Portfolio {
 public:
  explicit Portfolio(std::uint64_t seed);

  // Once per run, ascending. `sites`: contended_sites() of what this run will be told. Fills name and arguments.
  StrategySettings choose(std::uint64_t run, std::uint32_t sites);

  // At the end of a round, for each of its runs in ascending order.
  void learn(std::uint64_t run, std::uint64_t schedule_hash);

  // Between rounds. Schedules seen are not part of it: the store has them with their runs (seen()).
  void save(StateWriter& to) const;
  void restore(StateReader& from);
  void seen(std::uint64_t schedule_hash) { seen_.insert(schedule_hash); }

 private:
  struct Arm {
    std::string_view name;
    std::int64_t argument;
    double share;        // of all runs, before anything is learned
    double recent_runs;  // both decay, so that an exhausted strategy loses its share
    double recent_new;
    double credit;  // runs it is owed; the largest goes next
  };

  std::size_t next_arm(std::uint32_t sites);
  double share_now(const Arm& arm, std::uint32_t sites) const;

  std::uint64_t seed_;
  std::vector<Arm> arms_;
  std::vector<std::size_t> chosen_;  // arm of each run since the first
  std::unordered_set<std::uint64_t> seen_;
  std::uint64_t holds_ = 0;  // how far the sweep over sites has come
};

}  // namespace heddle::campaign
