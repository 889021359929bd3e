// The schedule nearest to a failing one that passes.
#pragma once

#include <optional>

#include "campaign/explain.h"

namespace heddle::campaign {

struct PassingRun {
  RunInput input;
  RunCapture capture;
};

// Tries schedules near the failing one (a decision moved or left out; where there is none to change, one put in) and takes
// the one that passes whose events met the fewest other writes. Nothing: all fail.
std::optional<PassingRun> nearest_passing(Crew& crew, const ExplainRequest& request);

}  // namespace heddle::campaign
