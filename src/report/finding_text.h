// What detectors reported over a campaign, on the terminal.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "campaign/campaign.h"

namespace heddle::reports {

// Empty where there is nothing to say. Hints are counted, and listed if asked for.
std::string findings_text(const campaign::CampaignResult& result, bool hints);

// Both accesses with so many frames each, locks held, where the memory and the threads come from.
std::vector<std::string> evidence_lines(const campaign::Judgement& judgement, std::size_t frames);

}  // namespace heddle::reports
