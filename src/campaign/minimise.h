// Makes a failing schedule as small as it gets: no stalls, then the fewest preemptions, switches and steps.
//
// A schedule is a list of departures from the default (contract/decision.h), so any part of it is a schedule too. Delta
// debugging over that list (Zeller, Hildebrandt, TSE 2002) finds one from which nothing can be left out; editing single
// decisions and, with what budget is left, running every schedule with fewer preemptions (iterative context bounding,
// campaign/dfs_plan.h) gets below that. Nothing is believed: a step is taken when a run of it failed in the same way,
// and what that run recorded is where the next step starts.
//
// Knows nothing of processes: runs are made by the caller's function, in any number at once. The first candidate in order
// that is good enough is taken, so the result does not depend on how many run at once.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "campaign/run_record.h"
#include "campaign/schedule_cost.h"

namespace heddle::campaign {

// What one run of a candidate came to.
struct Trial {
  bool done = false;          // false: not made, because an earlier one was enough or time is up
  bool same_failure = false;  // kind and signature are those of the failure being minimised
  bool wants_release_points = false;
  ScheduleCost cost;
  std::vector<Decision> decisions;  // as recorded; empty unless same_failure
  std::vector<std::uint8_t> widths;
  std::vector<ObjectId> new_points;
  std::vector<Decision> points;  // with kPlanRecordPoints: every point, whatever came of the run
};

enum class TrialMode : std::uint8_t {
  first_same,  // runs after the first that failed in the same way need not be made
  all
};
using TryAll = std::function<std::vector<Trial>(std::span<const RunInput>, TrialMode)>;

struct MinimiseLimits {
  std::uint64_t runs = 4000;
  std::uint64_t systematic_runs = 1500;  // of them, for schedules with fewer preemptions
  std::uint64_t single_runs = 1500;  // and twice so many at most for schedules with one departure
};

struct MinimalSchedule {
  RunInput input;  // follows the decisions of `best`
  ScheduleCost before;
  ScheduleCost best;
  std::uint64_t runs = 0;
  bool reproduced = false;  // false: the first run did not fail in the same way; input is as given
  bool out_of_budget = false;
};

// `input` follows the recorded decisions of the failing run; `new_points` is what that run learned.
MinimalSchedule minimise(const RunInput& input, std::span<const ObjectId> new_points,
                         const TryAll& try_all, const MinimiseLimits& limits = {});

}  // namespace heddle::campaign
