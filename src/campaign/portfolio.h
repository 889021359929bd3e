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

  // What the next run will be told.
  struct Known {
    std::uint32_t sites;  // contended_sites()
    bool uncovered;       // there are pairs to aim at
  };
  // Once per run, ascending. Fills name and arguments, but for those of `aim`.
  StrategySettings choose(std::uint64_t run, const Known& known);

  // At the end of a round, for each of its runs in ascending order.
  struct Seen {
    std::uint64_t schedule_hash;
    bool new_tasks;  // it covered what no run before it had
    bool stalled;    // a timer fired early in it
  };
  void learn(std::uint64_t run, const Seen& seen);

  // One in so many of the next runs may stall: more at first, and while that shows more that is new than other runs do.
  std::uint32_t one_in_so_many_stalls() const;

  // Between rounds. Schedules seen are not part of it: the store has them with their runs (seen()).
  void save(StateWriter& to) const;
  void restore(StateReader& from);
  void seen(std::uint64_t schedule_hash) { seen_.insert(schedule_hash); }

 private:
  // Runs, and those among them with something new; both decay.
  struct Yield {
    double runs = 0;
    double found = 0;
    void add(bool is_new);
    double rate() const { return (found + 1) / (runs + 1); }
  };

  struct Arm {
    std::string_view name;
    std::int64_t argument;
    double share;   // of all runs, before anything is learned
    Yield recent;   // so that an exhausted strategy loses its share
    double credit;  // runs it is owed; the largest goes next
  };

  std::size_t next_arm(const Known& known);
  double share_now(const Arm& arm, const Known& known) const;

  std::uint64_t seed_;
  std::vector<Arm> arms_;
  std::vector<std::size_t> chosen_;  // arm of each run since the first
  std::unordered_set<std::uint64_t> seen_;
  Yield stalled_;
  Yield not_stalled_;
  std::uint64_t stalled_runs_ = 0;
  std::uint64_t holds_ = 0;  // how far the sweep over sites has come
};

}  // namespace heddle::campaign
