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

// Nothing was in the controlled engine's hands: a sentence on what to do. Empty if all is well.
std::string nothing_controlled(const campaign::CampaignResult& result, const RunOptions& options);

}  // namespace heddle::reports
