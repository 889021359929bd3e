// What kind of bug a failure shows, from its trace and the pair of events that decides. Pure.
#pragma once

#include <optional>
#include <string>

#include "campaign/explain_pair.h"
#include "campaign/failure.h"

namespace heddle::campaign {

struct ClassEvidence {
  FailureKind kind = FailureKind::none;
  const RunOutcome* outcome = nullptr;
  std::span<const Event> failing;
  std::span<const Event> passing;  // empty: no schedule that passes was found
  std::span<const Decision> decisions;
  std::optional<FlippedPair> pair;
  bool outside_main = false;  // one of the pair came when main() had returned
  bool destroys = false;      // one of the pair's threads destroys what the other is at work in
  std::string message;
};

struct Classification {
  BugClass bug = BugClass::unknown;
  std::string detail;  // of atomicity: "check-then-act", "several variables", "one variable"
};

// The first that fits: what the engine proved (lost wake-up, deadlock, livelock; but a thread that waits rightly, and alone,
// for what a wrong value keeps from coming is classed by that value); a thread that outlives what it uses; a
// stall of a sleep or a timed wait; plain accesses without a common lock; a thread interrupted between two of its accesses;
// else only the order is wrong.
Classification classify(const ClassEvidence& evidence);

}  // namespace heddle::campaign
