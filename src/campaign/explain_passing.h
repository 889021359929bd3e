// The schedule nearest to a failing one that passes.
#pragma once

#include <optional>

#include "campaign/explain.h"
#include "campaign/explain_pair.h"

namespace heddle::campaign {

struct PassingRun {
  RunInput input;
  RunCapture capture;
  std::optional<FlippedPair> pair;  // what it does in the other order
};

// Tries schedules near the failing one (a decision moved or left out; where there is none to change, one put in). Of those
// that pass the one whose events met the fewest other writes; but before it, if a thread was interrupted between two
// accesses to what it then finds changed, one that lets the first such thread go on: its window is open the longest, and
// who is interrupted inside it only has to be. Nothing: all fail.
std::optional<PassingRun> nearest_passing(Crew& crew, const ExplainRequest& request);

}  // namespace heddle::campaign
