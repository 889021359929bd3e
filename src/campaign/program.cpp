#include "campaign/program.h"

#include <string_view>

namespace heddle::campaign {

namespace {
constexpr std::string_view kRunMark = "{run}";
}

std::vector<std::string> arguments_of_run(const Program& program, unsigned long long run) {
  std::vector<std::string> result = program.arguments;
  const std::string number = std::to_string(run);
  for (std::string& argument : result) {
    for (std::size_t at = argument.find(kRunMark); at != std::string::npos;
         at = argument.find(kRunMark, at + number.size())) {
      argument.replace(at, kRunMark.size(), number);
    }
  }
  return result;
}

}  // namespace heddle::campaign
