// Every strategy by name, a row each. Names are stored on disk: a changed algorithm gets a new name.
#pragma once

#include <span>
#include <string_view>

#include "schedule/strategy.h"

namespace heddle {

struct StrategyRow {
  std::string_view name;
  std::string_view summary;   // one line for `heddle list strategies`, with the source
  std::string_view argument;  // what may follow ':', empty if nothing
  std::int64_t default_argument;
  std::int64_t least_argument;
  std::int64_t most_argument;
  Strategy& (*instance)();  // the one object; null for strategies the campaign composes (portfolio)
};

std::span<const StrategyRow> strategy_catalog();

// Null if there is no such name.
const StrategyRow* find_strategy(std::string_view name);

}  // namespace heddle
