// Every strategy by name, a row each. Names are stored on disk: a changed algorithm gets a new name.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "schedule/strategy.h"

namespace heddle {

// Whether a strategy asks who did what where in earlier runs (StrategyContext::accesses): only then do runs count that.
enum class LearnsFrom : std::uint8_t { nothing, accesses };

struct StrategyRow {
  std::string_view name;
  std::string_view summary;   // one line for `heddle list strategies`, with the source
  std::string_view argument;  // what may follow ':', empty if nothing
  std::int64_t default_argument;
  std::int64_t least_argument;
  std::int64_t most_argument;
  Strategy& (*instance)();  // the one object; null for strategies the campaign composes (portfolio)
  LearnsFrom learns = LearnsFrom::nothing;
};

std::span<const StrategyRow> strategy_catalog();

// Null if there is no such name.
const StrategyRow* find_strategy(std::string_view name);

}  // namespace heddle
