// `heddle list`: what can be chosen, one line each, the name as its first word.
#include <fmt/core.h>

#include <array>

#include "campaign/findings.h"
#include "coverage/catalog.h"
#include "detect/catalog.h"
#include "driver/command_line.h"
#include "driver/commands.h"
#include "host/text.h"
#include "noise/catalog.h"
#include "schedule/catalog.h"

namespace heddle {
namespace {

void list_strategies() {
  for (const StrategyRow& row : strategy_catalog()) {
    if (row.argument.empty()) {
      fmt::print("{:<14} {}\n", row.name, row.summary);
    } else {
      fmt::print("{:<14} {} ({}:{}, {} to {}, usually {})\n", row.name, row.summary, row.name,
                 row.argument, row.least_argument, row.most_argument, row.default_argument);
    }
  }
}

void list_noise() {
  for (const NoiseRow& row : noise_catalog()) {
    const bool seeding = row.kind == NoiseKind::seeding;
    fmt::print("{:<18} {}: {}", row.name, seeding ? "seeding" : "placement", row.summary);
    if (seeding && row.unit != StrengthUnit::none) {
      fmt::print(" (strength in {}, at most {})", unit_name(row.unit), row.most);
    }
    fmt::print(" [{}]\n", row.source);
  }
  // Ways to use the others, with names of their own in --noise.
  fmt::print(
      "{:<18} configuration: a whole one drawn afresh for each run [Letko 2013; Fiedor et al. "
      "2014]\n"
      "{:<18} parameter: after each disturbance another one by chance, so that any thread can come "
      "next [rstest 2002]\n"
      "{:<18} parameter: long undisturbed stretches, by chance [ConTest 2002]\n",
      "random", "repeat", "quiet");
}

void list_detectors() {
  for (const DetectorRow& row : detector_catalog()) {
    std::string kinds;
    for (const FindingKind kind :
         {FindingKind::race, FindingKind::atomicity, FindingKind::lock_order, FindingKind::misuse,
          FindingKind::leak}) {
      if ((row.finds & bit(kind)) == 0) continue;
      kinds += fmt::format("{}{}", kinds.empty() ? "" : ", ", campaign::finding_name(kind));
    }
    fmt::print("{:<12} {} [{}]\n", row.name, row.summary, kinds);
  }
}

void list_metrics() {
  for (const MetricCatalogRow& row : metric_catalog()) {
    const std::string_view growth = row.growth == Growth::good    ? "good"
                                    : row.growth == Growth::early ? "saturates early"
                                                                  : "too fine for large programs";
    fmt::print("{:<12} {} [{}{}]\n", row.name, row.summary, growth,
               row.watches_memory ? "; watches memory" : "");
  }
}

}  // namespace

int list_command(Arguments arguments) {
  CommandApp command("list",
                     "  heddle list strategies     names for --strategy\n"
                     "  heddle list noise          names for --noise placement=NAME,seeding=NAME\n"
                     "  heddle list detectors      names for --detect\n"
                     "  heddle list metrics        names for --coverage and --until");
  std::string what;
  command.app.add_option("WHAT", what, "strategies, noise, metrics or detectors");
  if (const std::optional<int> end = parse(command, arguments)) {
    return *end;
  }
  static constexpr std::array<std::string_view, 4> kLists{"strategies", "noise", "metrics",
                                                          "detectors"};
  if (what == "strategies") {
    list_strategies();
  } else if (what == "noise") {
    list_noise();
  } else if (what == "detectors") {
    list_detectors();
  } else if (what == "metrics") {
    list_metrics();
  } else if (what.empty()) {
    return report(Error{"Say what to list: strategies, noise, metrics or detectors."});
  } else {
    return report(Error{fmt::format("There is no list of '{}'.{}", what, name_hint(what, kLists))});
  }
  return kExitNothingFound;
}

}  // namespace heddle
