// heddle run: hunt until a failure, a budget or saturation.
#include <fmt/core.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <filesystem>
#include <optional>

#include "campaign/campaign.h"
#include "campaign/json_text.h"
#include "driver/cases.h"
#include "driver/command_line.h"
#include "driver/commands.h"
#include "driver/program_under_test.h"
#include "driver/run_options.h"
#include "host/files.h"
#include "host/terminal.h"
#include "report/failure_text.h"
#include "report/json.h"
#include "report/run_summary.h"
#include "report/status_line.h"

namespace heddle {
namespace {

using std::chrono::steady_clock;

// Shows a campaign: one line that changes on a terminal, a line now and then elsewhere.
class Narrator final : public campaign::CampaignObserver {
 public:
  explicit Narrator(const RunOptions& options)
      : options_(options),
        status_(STDERR_FILENO),
        terminal_(STDERR_FILENO),
        output_(STDOUT_FILENO) {}

  void progress(const campaign::CampaignTotals& totals) override {
    if (options_.quiet) return;
    const auto now = steady_clock::now();
    const auto pause = terminal_.interactive() ? kOnTerminal : kElsewhere;
    if (now - last_ < pause) return;
    last_ = now;
    const std::string line = reports::status_line(totals, options_.engine);
    if (terminal_.interactive()) {
      status_.show(line);
    } else {
      fmt::print(stderr, "{}\n", line);
    }
  }

  void checking_failure(const campaign::Judgement& judgement) override {
    if (terminal_.interactive() && !options_.quiet) {
      status_.show(fmt::format("replaying: {}", judgement.message));
    }
  }

  void failure(const campaign::Failure& failure) override {
    status_.clear();
    if (++shown_ > kShownInFull) return;  // the summary names the rest
    reports::FailureCommands commands;
    commands.directory = (options_.out / "failures" / failure.id).string();
    fmt::print("{}", reports::failure_text(failure, commands, output_));
    std::fflush(stdout);
  }

  void end() { status_.clear(); }

 private:
  static constexpr std::chrono::milliseconds kOnTerminal{200};
  static constexpr std::chrono::milliseconds kElsewhere{10'000};
  static constexpr int kShownInFull = 3;

  const RunOptions& options_;
  StatusLine status_;
  Terminal terminal_;
  Terminal output_;
  steady_clock::time_point last_ = steady_clock::now();
  int shown_ = 0;
};

// The run's JSON, with what the saved cases showed.
Result<void> write_json(const std::string& text, const RunOptions& options,
                        const std::string& cases_directory, const campaign::Json& cases) {
  if (cases_directory.empty()) return write_file(*options.json, text);
  campaign::Json json = campaign::Json::parse(text);
  json["cases"] = cases;
  return write_file(*options.json, campaign::readable(json));
}

}  // namespace

int run_command(Arguments arguments) {
  CommandApp command(
      "run",
      "  heddle run -- ./prog\n"
      "  heddle run --strategy pct:3 --runs 1000 --seed 7 -- ./prog --its-own-option\n"
      "  heddle run --engine free --noise placement=random-all,seeding=sleep -- ./prog");
  RunOptionTexts texts;
  add_run_options(command, texts);
  std::string cases_directory;
  command.app
      .add_option("--cases", cases_directory, "replay the cases that 'heddle save' kept here first")
      ->type_name("DIR")
      ->group("Files");
  if (const std::optional<int> end = parse(command, arguments)) return *end;
  const Result<RunOptions> options = check_run_options(command, texts);
  if (!options) return report(options.error());
  const Result<campaign::Program> program = program_under_test(
      options->program, options->standard_input ? options->standard_input->string() : "");
  if (!program) return report(program.error());

  if (const Result<void> can = results_can_be_kept(*options); !can) return report(can.error());

  const auto start = steady_clock::now();
  CasesOutcome cases;
  campaign::Json cases_result;
  if (!cases_directory.empty()) {
    Result<CasesOutcome> replayed = replay_cases(cases_directory, *program, *options);
    if (!replayed) return report(replayed.error());
    cases = *std::move(replayed);
    cases_result = cases_json(cases_directory, cases);
    if (!options->quiet) fmt::print("{}\n", cases_line(cases));
  }
  Result<campaign::CampaignResult> result = campaign::CampaignResult{};
  if (cases.interrupted || (!cases.failures.empty() && !options->keep_going)) {
    result->stopped_by =
        cases.interrupted ? campaign::StoppedBy::interrupted : campaign::StoppedBy::failure;
    result->seed = options->seed.value_or(0);
    result->strategy = options->strategy_text;
    result->took_control = true;
    result->totals.seconds = std::chrono::duration<double>(steady_clock::now() - start).count();
  } else {
    campaign::StopSignal stop;
    const campaign::StopOnSignals on_signals(stop);
    Narrator narrator(*options);
    campaign::Campaign campaign(*program, *options, stop, narrator);
    result = campaign.run();
    narrator.end();
    if (!result) return report(result.error());
  }
  if (!cases_directory.empty()) add_cases(*result, cases);

  if (!options->quiet) fmt::print("{}", reports::run_summary(*result, *options));
  std::fflush(stdout);
  int status = reports::run_exit_status(*result, *options);
  if (const std::string sentence = reports::why_inconclusive(*result, *options);
      !sentence.empty()) {
    report(Error{sentence, status});
  }
  if (!result->write_error.empty()) report(Error{result->write_error, status});
  if (options->json) {
    const Result<void> written = write_json(reports::run_json(*result, *program, *options),
                                            *options, cases_directory, cases_result);
    if (!written) {
      report(written.error());
      if (status == kExitNothingFound) status = kExitBadUsage;
    }
  }
  return status;
}

}  // namespace heddle
