#include "campaign/compare/grid.h"

#include <fmt/core.h>

#include "base/check.h"
#include "host/text.h"

namespace heddle::campaign {

namespace {

struct GridSeeding {
  const char* name;
  int weak;
  int strong;
};

constexpr const char* kPlacements[] = {"random-all", "sharedVar-all", "sharedVar-one", "pattern",
                                       "read/write"};
constexpr int kFrequencies[] = {150, 300};
constexpr GridSeeding kSeedings[] = {
    {"sleep", 2, 20}, {"yield", 10, 100}, {"busyWait", 2, 20}, {"inverseNoise", 2, 20}};

std::string read_write(int frequency, const GridSeeding& seeding, bool strong_writes) {
  return fmt::format(
      "placement=read/write,frequency={},seeding={},strength={},reads={}:{},writes={}:{}",
      frequency, seeding.name, seeding.weak, seeding.name,
      strong_writes ? seeding.weak : seeding.strong, seeding.name,
      strong_writes ? seeding.strong : seeding.weak);
}

}  // namespace

std::vector<Configuration> paper_grid() {
  std::vector<std::string> texts{"none"};
  for (const std::string_view placement : kPlacements) {
    for (const int frequency : kFrequencies) {
      for (const GridSeeding& seeding : kSeedings) {
        for (const bool strong : {false, true}) {
          texts.push_back(placement == "read/write"
                              ? read_write(frequency, seeding, strong)
                              : fmt::format("placement={},frequency={},seeding={},strength={}",
                                            placement, frequency, seeding.name,
                                            strong ? seeding.strong : seeding.weak));
        }
      }
    }
  }
  std::vector<Configuration> grid;
  for (const std::string& text : texts) {
    Result<Configuration> configuration = parse_configuration(text);
    check(configuration.ok(), "the paper's configurations are valid");
    grid.push_back(*std::move(configuration));
  }
  return grid;
}

Result<Configuration> parse_configuration(std::string_view text) {
  Result<NoiseRequest> noise = parse_noise(text);
  if (!noise) return noise.error();
  return Configuration{std::string(trim(text)), *noise};
}

Result<std::vector<Configuration>> parse_grid(std::string_view text, std::string_view where) {
  std::vector<Configuration> grid;
  std::size_t number = 0;
  for (std::string_view line : split(text, '\n')) {
    ++number;
    line = trim(line.substr(0, line.find('#')));
    if (line.empty()) continue;
    Result<Configuration> configuration = parse_configuration(line);
    if (!configuration) {
      return Error{fmt::format("{}, line {}: {}", where, number, configuration.error().sentence)};
    }
    grid.push_back(*std::move(configuration));
  }
  if (grid.empty()) {
    return Error{fmt::format(
        "'{}' has no configuration; write one a line, such as placement=pattern,seeding=sleep.",
        where)};
  }
  return grid;
}

}  // namespace heddle::campaign
