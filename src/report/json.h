// What --json writes (docs/formats/run-json.md).
#pragma once

#include <string>

#include "campaign/campaign.h"
#include "campaign/options.h"
#include "campaign/program.h"

namespace heddle::reports {

inline constexpr int kRunJsonVersion = 1;

std::string run_json(const campaign::CampaignResult& result, const campaign::Program& program,
                     const RunOptions& options);

}  // namespace heddle::reports
