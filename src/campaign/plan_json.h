// RunPlan and its parts as JSON and back. Part of docs/formats/schedule.md.
#pragma once

#include "campaign/json_text.h"
#include "campaign/site_names.h"
#include "contract/control_block.h"
#include "contract/run_plan.h"

namespace heddle::campaign {

Json plan_json(const RunPlan& plan);
// Throws nlohmann's exceptions on what is missing or of another type.
RunPlan plan_from_json(const Json& json);

Json decision_json(const Decision& decision, SiteNames& names);
Decision decision_from_json(const Json& json);

std::string_view engine_name(EngineKind engine);
std::string_view level_name(Level level);

}  // namespace heddle::campaign
