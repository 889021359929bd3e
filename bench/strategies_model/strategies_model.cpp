// Mean schedules to the first bug on models of the standard patterns, for every strategy, beside published figures.
// usage: strategies_model [TRIALS [LIMIT [PROGRAM|all [STRATEGY[:ARGUMENT]…]]]]    PROGRAM: how its name begins
// The models (tests/unit/schedule/model_programs.h) leave out what real programs add: compare columns, not absolutes.
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "../../tests/unit/schedule/model_campaign.h"

namespace {

using namespace heddle;
using namespace heddle::model;

StrategySettings parse(const std::string& text) {
  const std::size_t colon = text.find(':');
  const std::string name = text.substr(0, colon);
  if (find_strategy(name) == nullptr) {
    std::fprintf(stderr, "there is no strategy '%s'\n", name.c_str());
    std::exit(2);
  }
  if (colon == std::string::npos) return settings(name);
  return settings(name, std::atol(text.c_str() + colon + 1));
}

void print_mean(const Mean& mean, unsigned trials) {
  char text[32];
  if (mean.found == 0) {
    std::snprintf(text, sizeof text, "-");
  } else if (mean.found < trials) {
    std::snprintf(text, sizeof text, "%.0f(%u)", mean.schedules, mean.found);
  } else {
    std::snprintf(text, sizeof text, "%.1f", mean.schedules);
  }
  std::printf(" %11s", text);
  std::fflush(stdout);
}

}  // namespace

int main(int argc, char** argv) {
  const unsigned trials = argc > 1 ? static_cast<unsigned>(std::atoi(argv[1])) : 100;
  const std::uint64_t limit = argc > 2 ? static_cast<std::uint64_t>(std::atol(argv[2])) : 3000;
  std::vector<std::string> columns(argv + (argc > 4 ? 4 : argc), argv + argc);
  const std::string wanted = argc > 3 && std::string{argv[3]} != "all" ? argv[3] : "";
  if (columns.empty()) {
    columns = {"random:0", "random", "pct:3",  "pos",      "surw",
               "surw:1",   "hold",   "starve", "portfolio"};
  }
  std::printf("%-14s %8s", "program", "best");
  for (const std::string& column : columns) std::printf(" %11s", column.c_str());
  std::printf("   published: random pct:3 pos surw (0: never)\n");
  for (const Program& program : programs()) {
    if (program.name.rfind(wanted, 0) != 0) continue;
    std::printf("%-14s %8.0f", program.name.c_str(), program.published.best);
    for (const std::string& column : columns) {
      print_mean(mean_schedules(program, parse(column), trials, limit), trials);
    }
    const Published& published = program.published;
    std::printf("   %.0f %.0f %.0f %.0f\n", published.random, published.pct3, published.pos,
                published.surw);
  }
  return 0;
}
