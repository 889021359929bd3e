// How hard a schedule is to follow for a reader: what a minimiser makes smaller.
#pragma once

#include <algorithm>
#include <compare>
#include <cstdint>
#include <span>

#include "contract/decision.h"
#include "contract/run_outcome.h"

namespace heddle::campaign {

// Compared field by field, the first that differs decides.
struct ScheduleCost {
  std::uint64_t stalls = 0;  // timers that fired although others could run: the least likely
  std::uint64_t preemptions = 0;
  std::uint64_t switches = 0;
  std::uint64_t steps = 0;      // scheduling points up to the failure
  std::uint64_t decisions = 0;  // departures from the default

  friend auto operator<=>(const ScheduleCost&, const ScheduleCost&) = default;
};

inline ScheduleCost cost_of(const RunOutcome& outcome, std::span<const Decision> decisions) {
  ScheduleCost cost;
  cost.stalls = static_cast<std::uint64_t>(std::ranges::count_if(
      decisions, [](const Decision& d) { return d.kind == DecisionKind::timeout; }));
  cost.preemptions = outcome.preemptions;
  cost.switches = outcome.switches;
  cost.steps = outcome.steps;
  cost.decisions = decisions.size();
  return cost;
}

}  // namespace heddle::campaign
