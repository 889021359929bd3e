// What is said when a campaign has ended.
#pragma once

#include <string>

#include "campaign/campaign.h"
#include "campaign/options.h"
#include "host/result.h"

namespace heddle::reports {

std::string run_summary(const campaign::CampaignResult& result, const RunOptions& options);

// The command's exit status (DESIGN A2).
ExitStatus run_exit_status(const campaign::CampaignResult& result, const RunOptions& options);

// Nothing can be said: no run ended, or nothing was in the controlled engine's hands. A sentence on what to do; empty if all is
// well.
std::string why_inconclusive(const campaign::CampaignResult& result, const RunOptions& options);

}  // namespace heddle::reports
