// The text of --strategy: a name, and for some an argument after a colon, as in "pct:3". Checked against schedule/catalog.h.
#pragma once

#include <string_view>

#include "contract/run_plan.h"
#include "host/result.h"

namespace heddle {

Result<StrategySettings> parse_strategy(std::string_view text);

}  // namespace heddle
