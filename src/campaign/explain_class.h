// What kind of bug a failure shows, from its trace and the pair of events that decides. Pure.
#pragma once

#include <optional>

#include "campaign/explain_align.h"
#include "campaign/failure.h"

namespace heddle::campaign {

struct ClassEvidence {
  FailureKind kind = FailureKind::none;
  const RunOutcome* outcome = nullptr;
  std::span<const Event> failing;
  std::span<const Event> passing;  // empty: no schedule that passes was found
  std::span<const Decision> decisions;
  std::optional<FlippedPair> pair;
};

BugClass classify(const ClassEvidence& evidence);

}  // namespace heddle::campaign
