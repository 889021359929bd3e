// A failure that is a finding explains itself: the pair is the detector's, and no schedule near it need pass.
#pragma once

#include <optional>

#include "campaign/explain.h"

namespace heddle::campaign {

// Nothing where the run does not show the expected finding.
std::optional<Explanation> explain_finding(const ExplainRequest& request);

}  // namespace heddle::campaign
