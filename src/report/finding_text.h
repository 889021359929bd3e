// What detectors reported over a campaign, on the terminal.
#pragma once

#include <string>

#include "campaign/campaign.h"

namespace heddle::reports {

// Empty where there is nothing to say.
std::string findings_text(const campaign::CampaignResult& result);

}  // namespace heddle::reports
