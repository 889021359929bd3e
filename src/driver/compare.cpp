// heddle compare: a grid of noise configurations side by side.
#include <fmt/core.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <optional>

#include "campaign/compare/comparison.h"
#include "campaign/strategy_text.h"
#include "driver/command_line.h"
#include "driver/commands.h"
#include "driver/program_under_test.h"
#include "driver/run_options.h"
#include "host/files.h"
#include "host/terminal.h"
#include "report/compare_text.h"
#include "report/status_line.h"

namespace heddle {
namespace {

using campaign::Configuration;
using std::chrono::steady_clock;

struct CompareTexts {
  std::vector<std::string> configurations;
  std::string grid;
  std::string csv;
};

void add_compare_options(CommandApp& command, CompareTexts& texts) {
  command.group = "What to compare";
  command.app
      .add_option("--config", texts.configurations,
                  "a configuration, as for --noise: SETTINGS, none or random (may be given again)")
      ->type_name("SETTINGS")
      ->group(command.group)
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  command.app
      .add_option("--grid", texts.grid,
                  "one configuration a line (without either: the 81 of Fiedor et al. 2014)")
      ->type_name("FILE")
      ->group(command.group);
  command.app.add_option("--csv", texts.csv, "the table for programs (OUT/compare.csv)")
      ->type_name("FILE")
      ->group(command.group);
}

Result<std::vector<Configuration>> chosen_grid(const CompareTexts& texts) {
  std::vector<Configuration> grid;
  if (!texts.grid.empty()) {
    const Result<std::string> text = read_file(texts.grid);
    if (!text) return Error{fmt::format("--grid: {}", text.error().sentence)};
    Result<std::vector<Configuration>> lines = campaign::parse_grid(*text, texts.grid);
    if (!lines) return Error{fmt::format("--grid: {}", lines.error().sentence)};
    grid = *std::move(lines);
  }
  for (const std::string& text : texts.configurations) {
    Result<Configuration> one = campaign::parse_configuration(text);
    if (!one) return Error{fmt::format("--config: {}", one.error().sentence)};
    grid.push_back(*std::move(one));
  }
  if (grid.empty()) grid = campaign::paper_grid();
  return grid;
}

// One line that changes on a terminal, a line now and then elsewhere.
class Narrator final : public campaign::ComparisonObserver {
 public:
  Narrator(const RunOptions& options, std::size_t configurations)
      : options_(options),
        configurations_(configurations),
        status_(STDERR_FILENO),
        terminal_(STDERR_FILENO) {}

  void progress(std::size_t configuration, const campaign::Measured& so_far) override {
    if (options_.quiet) return;
    const auto now = steady_clock::now();
    if (now - last_ < (terminal_.interactive() ? kOnTerminal : kElsewhere)) return;
    last_ = now;
    const std::string line = fmt::format("configuration {}/{}: {}, {} failed  {}", configuration,
                                         configurations_, reports::counted(so_far.runs, "run"),
                                         so_far.failing_runs, so_far.configuration);
    if (terminal_.interactive()) {
      status_.show(line);
    } else {
      fmt::print(stderr, "{}\n", line);
    }
  }

  void end() { status_.clear(); }

 private:
  static constexpr std::chrono::milliseconds kOnTerminal{200};
  static constexpr std::chrono::milliseconds kElsewhere{10'000};

  const RunOptions& options_;
  std::size_t configurations_;
  StatusLine status_;
  Terminal terminal_;
  steady_clock::time_point last_ = steady_clock::now();
};

// What shared options mean here, and which have no meaning.
Result<RunOptions> adapted(RunOptions options) {
  if (options.noise) {
    return Error{
        "--noise is one configuration; give what is to be compared with --config (again and again) "
        "or --grid."};
  }
  if (options.until_saturation) {
    return Error{
        "--until ends a campaign; here every configuration has the same --runs or an equal part of "
        "--for."};
  }
  // Only noise is to make a difference: the strategy that leaves the order alone.
  if (!options.strategy_given) {
    options.strategy_text = "noise";
    options.strategy = *parse_strategy("noise");
  }
  if (options.strategy_text.starts_with("dfs")) {
    return Error{"--strategy dfs follows no noise; leave it out, or choose one that is random."};
  }
  const std::filesystem::path before = options.out / campaign::Comparison::kProgressName;
  if (!options.seed && options.resume) options.seed = campaign::ProgressFile::seed_in(before);
  options.seed = campaign::chosen_seed(options);
  options.jobs = campaign::chosen_jobs(options);
  return options;
}

}  // namespace

int compare_command(Arguments arguments) {
  CommandApp command(
      "compare",
      "  heddle compare --runs 50 --seed 1 -- ./prog\n"
      "  heddle compare --for 10m --engine free -- ./prog\n"
      "  heddle compare --runs 200 --config none --config placement=pattern,seeding=sleep -- "
      "./prog\n"
      "\n"
      "--runs is for each configuration; --for is shared out equally among them. Each starts from "
      "nothing.\n"
      "--resume goes on with a comparison that was interrupted. Without --strategy it is 'noise'.");
  CompareTexts own;
  add_compare_options(command, own);
  RunOptionTexts texts;
  add_run_options(command, texts);
  if (const std::optional<int> end = parse(command, arguments)) return *end;
  const Result<RunOptions> checked = check_run_options(command, texts);
  if (!checked) return report(checked.error());
  const Result<RunOptions> options = adapted(*checked);
  if (!options) return report(options.error());
  Result<std::vector<Configuration>> grid = chosen_grid(own);
  if (!grid) return report(grid.error());
  const Result<campaign::Program> program = program_under_test(
      options->program, options->standard_input ? options->standard_input->string() : "");
  if (!program) return report(program.error());

  if (const Result<void> can = results_can_be_kept(*options); !can) return report(can.error());

  campaign::StopSignal stop;
  const campaign::StopOnSignals on_signals(stop);
  Narrator narrator(*options, grid->size());
  campaign::Comparison comparison(*program, *options, *std::move(grid), stop, narrator);
  const Result<campaign::ComparisonResult> result = comparison.run();
  narrator.end();
  if (!result) return report(result.error());

  fmt::print("{}", reports::compare_table(*result, *options));
  std::fflush(stdout);
  int status = reports::compare_exit_status(*result, *options);
  const auto write = [&](const std::filesystem::path& path, const std::string& text) {
    if (const Result<void> written = write_file(path, text); !written) {
      report(written.error());
      if (status == kExitNothingFound) status = kExitBadUsage;
    }
  };
  write(own.csv.empty() ? options->out / "compare.csv" : std::filesystem::path(own.csv),
        reports::compare_csv(*result));
  if (options->json) write(*options->json, reports::compare_json(*result, *program, *options));
  if (!result->write_error.empty()) report(Error{result->write_error, status});
  if (status == kExitInconclusive && result->stopped_by != campaign::StoppedBy::interrupted) {
    report(Error{
        "The controlled engine could control nothing: the runtime never got into the program. See "
        "'heddle doctor -- PROG', build it with 'heddle c++', or use --engine free.",
        status});
  }
  return status;
}

}  // namespace heddle
