#include "campaign/strategy_text.h"

#include <fmt/core.h>

#include <charconv>
#include <cstring>
#include <vector>

#include "base/check.h"
#include "host/text.h"
#include "schedule/catalog.h"

namespace heddle {

Result<StrategySettings> parse_strategy(std::string_view text) {
  const std::size_t colon = text.find(':');
  const std::string_view name = text.substr(0, colon);
  const StrategyRow* row = find_strategy(name);
  if (row == nullptr) {
    std::vector<std::string_view> names;
    for (const StrategyRow& known : strategy_catalog()) {
      names.push_back(known.name);
    }
    return Error{fmt::format("There is no strategy '{}'.{}", name, name_hint(name, names))};
  }
  StrategySettings settings{};
  check(name.size() < sizeof settings.name, "a strategy's name fits its field");
  std::memcpy(settings.name, name.data(), name.size());
  settings.arguments[0] = row->default_argument;
  if (colon == std::string_view::npos) {
    return settings;
  }
  const std::string_view argument = text.substr(colon + 1);
  if (row->argument.empty()) {
    return Error{
        fmt::format("The strategy '{}' takes no argument; write --strategy {}.", name, name)};
  }
  std::int64_t value = 0;
  const auto [end, error] =
      std::from_chars(argument.data(), argument.data() + argument.size(), value);
  if (error != std::errc{} || end != argument.data() + argument.size() ||
      value < row->least_argument || value > row->most_argument) {
    return Error{
        fmt::format("'{}' does not fit the strategy '{}', whose argument ({}) is a number "
                    "from {} to {}.",
                    argument, name, row->argument, row->least_argument, row->most_argument)};
  }
  settings.arguments[0] = value;
  return settings;
}

}  // namespace heddle
