// What the user asked of a running command, checked and as plain data. The driver fills it (driver/run_options.h), the
// campaign reads it. Every field is already valid: names are in their catalogues, files to read exist.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "campaign/noise_text.h"
#include "contract/finding.h"
#include "contract/run_plan.h"

namespace heddle {

struct RunOptions {
  std::vector<std::string> program;  // PROG ARGS…, as given; `{run}` in ARGS is not yet replaced

  // Budgets. Neither given: 60 s or saturation, whichever comes first.
  std::optional<std::chrono::nanoseconds> time_budget;          // --for
  std::optional<std::uint64_t> run_budget;                      // --runs
  std::chrono::nanoseconds timeout = std::chrono::seconds(10);  // --timeout, of one run
  bool timeout_given = false;

  EngineKind engine = EngineKind::controlled;
  std::string strategy_text = "portfolio";  // as given, for reports
  StrategySettings strategy{};  // name and arguments; the rest is the campaign's to fill
  bool strategy_given = false;
  std::string noise_text;             // as given; empty: none
  std::optional<NoiseRequest> noise;  // noise_of_run() gives each run its settings
  Level level = Level::memory;
  std::uint64_t max_stall_ns = 1'000'000'000;  // kUnlimited: any; 0: none
  bool spurious = false;                       // condition waits may end without a signal

  std::optional<std::uint64_t> seed;  // not given: the campaign chooses and says which
  unsigned jobs = 0;                  // 0: not given
  bool keep_going = false;
  bool minimize = true;
  bool resume = false;
  bool quiet = false;

  std::filesystem::path out = "heddle-out";
  std::optional<std::filesystem::path> json;            // --json
  std::optional<std::filesystem::path> standard_input;  // --stdin; else /dev/null

  // Oracles beyond the defaults.
  std::vector<std::string> fail_if;  // --fail-if, each an extended regular expression
  std::optional<std::filesystem::path> expect_output;        // --expect-output
  std::vector<std::string> detectors;                        // --detect
  std::vector<FindingKind> fail_on;                          // --fail-on
  std::optional<std::filesystem::path> suppressions;         // --suppressions
  std::uint64_t detector_memory = std::uint64_t{512} << 20;  // --memory
  std::vector<std::string> coverage;  // --coverage, metrics to keep; the first one is shown
  bool confirm = false;               // --confirm
  bool hints = false;                 // --hints: list what may be meant, too
  bool until_saturation = false;      // --until saturation[:metric]
  std::string saturating_metric;      // empty: schedules, or the first of `coverage`
};

}  // namespace heddle
