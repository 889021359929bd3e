// The one line shown while a campaign goes on.
#pragma once

#include <string>

#include "campaign/campaign.h"

namespace heddle::reports {

// "1234 runs, 512/s, 87 schedules (3 new lately), control 100%, fidelity 100%, HBPair* 41 (2 new lately), 1 failure"
std::string status_line(const campaign::CampaignTotals& totals, EngineKind engine);

// "1 run", "2 runs"; "1 switch", "2 switches".
std::string counted(std::uint64_t count, std::string_view noun);

// "100%", "99.4%": never rounded up to 100.
std::string percent(double value);

}  // namespace heddle::reports
