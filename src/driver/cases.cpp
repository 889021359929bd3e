#include "driver/cases.h"

#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <optional>

#include "campaign/explain.h"
#include "campaign/failure_folder.h"
#include "campaign/reproduce.h"
#include "campaign/transfer.h"
#include "driver/command_line.h"
#include "driver/kept_failure.h"
#include "host/terminal.h"
#include "report/failure_text.h"
#include "report/status_line.h"

namespace heddle {

namespace {

namespace fs = std::filesystem;
using campaign::Reproduction;

constexpr unsigned kReplays = 10;  // of one that fails

std::string_view end_name(CaseEnd end) {
  switch (end) {
    case CaseEnd::passed:
      return "passed";
    case CaseEnd::failed:
      return "failed";
    case CaseEnd::failed_otherwise:
      return "failed otherwise";
    case CaseEnd::other_program:
      return "of another program";
  }
  return "passed";
}

Result<std::vector<fs::path>> case_files(const fs::path& directory) {
  std::error_code error;
  if (!fs::is_directory(directory, error)) {
    return Error{
        fmt::format("--cases: there is no directory '{}'; 'heddle save FAILURE' makes one.",
                    directory.string())};
  }
  std::vector<fs::path> files;
  for (const fs::directory_entry& entry : fs::directory_iterator(directory, error)) {
    if (entry.path().extension() == ".json") files.push_back(entry.path());
  }
  if (error) {
    return Error{fmt::format("--cases: '{}' cannot be read ({}); check its permissions.",
                             directory.string(), error.message())};
  }
  std::ranges::sort(files);
  return files;
}

class CaseReplay {
 public:
  CaseReplay(const FailureAtHand& at_hand, const RunOptions& options)
      : at_hand_(at_hand), crew_(at_hand.running->crew()), options_(options) {
    request_.input = at_hand.opened.schedule.input;
    request_.expected = at_hand.opened.schedule.judgement;
    request_.times = 1;
  }

  CaseResult run(std::string name, CasesOutcome& outcome) {
    CaseResult result;
    result.name = std::move(name);
    Reproduction once = replay();
    const campaign::Schedule& schedule = at_hand_.opened.schedule;
    if (once.passed > 0 && at_hand_.prepared.program.build_id != schedule.program.build_id) {
      campaign::TransferRequest transfer_request;
      transfer_request.input = request_.input;
      transfer_request.places = schedule.places;
      request_.input = transfer(crew_, transfer_request).input;
      once = replay();
    }
    if (once.attempts.empty() || !once.attempts[0].judgement.failed()) return result;
    const campaign::Judgement judgement =
        once.capture ? once.judgement : once.attempts[0].judgement;
    result.message = judgement.message;
    result.end = once.attempts[0].same_failure ? CaseEnd::failed : CaseEnd::failed_otherwise;
    request_.expected = judgement;
    request_.times = kReplays;
    keep(replay(), result.name, outcome);
    return result;
  }

  std::uint64_t runs() const { return runs_; }

 private:
  Reproduction replay() {
    Reproduction reproduction = reproduce(crew_, request_);
    runs_ += reproduction.attempts.size();
    return reproduction;
  }

  void keep(Reproduction again, const std::string& name, CasesOutcome& outcome) {
    if (!again.capture) return;
    campaign::Failure failure;
    failure.judgement = request_.expected;
    failure.id = failure_id(failure.judgement, at_hand_.prepared.program.executable);
    failure.strategy = "case " + name;
    failure.first_run = outcome.runs + 1;
    failure.count = 1;
    failure.replays = static_cast<unsigned>(again.attempts.size());
    failure.replays_same = again.same;
    failure.reproduced = reproduction_text(again);
    failure.record = std::move(again.captured_record);
    failure.record.input.plan.flags &= ~static_cast<std::uint32_t>(kPlanRecordTrace | kPlanStacks);
    failure.capture = *std::move(again.capture);
    campaign::ExplainRequest why;
    why.input = request_.input;
    why.expected = failure.judgement;
    why.record = &failure.record;
    why.capture = &failure.capture;
    failure.explanation = explain(crew_, why);
    failure.directory = fs::absolute(options_.out / "failures" / failure.id).string();
    campaign::FolderContents contents;
    contents.failure = &failure;
    contents.program = &at_hand_.prepared.program;
    RunOptions options = options_;
    options.fail_if = at_hand_.opened.schedule.fail_if;
    contents.options = &options;
    contents.campaign_seed = at_hand_.opened.schedule.campaign_seed;
    const Result<fs::path> written = write_failure_folder(options_.out / "failures", contents);
    if (!written) report(written.error());
    reports::FailureCommands commands;
    commands.directory = (options_.out / "failures" / failure.id).string();
    fmt::print("{}", reports::failure_text(failure, commands, Terminal(STDOUT_FILENO)));
    std::fflush(stdout);
    failure.capture.trace = {};
    outcome.failures.push_back(std::move(failure));
  }

  const FailureAtHand& at_hand_;
  campaign::Crew& crew_;
  const RunOptions& options_;
  campaign::ReproductionRequest request_;
  std::uint64_t runs_ = 0;
};

}  // namespace

Result<CasesOutcome> replay_cases(const fs::path& directory, const campaign::Program& program,
                                  const RunOptions& options) {
  if (options.engine != EngineKind::controlled) {
    return Error{
        "--cases needs the controlled engine: the free one cannot follow a schedule; leave one of "
        "the two out."};
  }
  const Result<std::vector<fs::path>> files = case_files(directory);
  if (!files) return files.error();
  CasesOutcome outcome;
  for (const fs::path& file : *files) {
    FailureAtHand at_hand;
    Result<campaign::OpenedFailure> opened = open_replayable(file.string());
    if (!opened) return opened.error();
    at_hand.opened = *std::move(opened);
    const fs::path saved_from = at_hand.opened.schedule.program.executable;
    if (saved_from.filename() != fs::path(program.executable).filename()) {
      outcome.cases.push_back({file.stem().string(), CaseEnd::other_program, {}});
      continue;
    }
    std::error_code ignored;
    const std::string& input = at_hand.opened.schedule.program.stdin_path;
    if (!fs::exists(input, ignored)) {
      return Error{
          fmt::format("The case {} needs its standard input {}, which is not there; put it back or "
                      "save the case anew.",
                      file.string(), input)};
    }
    Result<Prepared> prepared = prepare(at_hand.opened.schedule, {program.executable});
    if (!prepared) return prepared.error();
    at_hand.prepared = *std::move(prepared);
    Result<std::unique_ptr<RunningFailure>> running =
        RunningFailure::start(at_hand.prepared, at_hand.opened);
    if (!running) return running.error();
    at_hand.running = *std::move(running);
    CaseReplay replay(at_hand, options);
    outcome.cases.push_back(replay.run(file.stem().string(), outcome));
    outcome.runs += replay.runs();
    outcome.interrupted = at_hand.interrupted();
    if (outcome.interrupted) break;
  }
  return outcome;
}

campaign::Json cases_json(const fs::path& directory, const CasesOutcome& outcome) {
  campaign::Json list = campaign::Json::array();
  for (const CaseResult& result : outcome.cases) {
    list.push_back(
        {{"name", result.name}, {"result", end_name(result.end)}, {"message", result.message}});
  }
  return {{"directory", directory.string()}, {"runs", outcome.runs}, {"list", list}};
}

std::string cases_line(const CasesOutcome& outcome) {
  const auto count = [&](auto wanted) {
    return static_cast<std::uint64_t>(std::ranges::count_if(outcome.cases, wanted));
  };
  const std::uint64_t others =
      count([](const CaseResult& c) { return c.end == CaseEnd::other_program; });
  const std::uint64_t failed = count([](const CaseResult& c) {
    return c.end == CaseEnd::failed || c.end == CaseEnd::failed_otherwise;
  });
  std::string text = fmt::format("cases: {} replayed, {}", outcome.cases.size() - others,
                                 failed == 0   ? "none fails"
                                 : failed == 1 ? "1 fails"
                                               : fmt::format("{} fail", failed));
  if (others > 0) text += fmt::format("; {} of other programs", others);
  return text;
}

void add_cases(campaign::CampaignResult& result, CasesOutcome& outcome) {
  result.totals.runs += outcome.runs;
  result.totals.failing_runs += outcome.failures.size();
  for (const campaign::Failure& found : result.failures) {
    const auto same = std::ranges::find_if(outcome.failures, [&](const campaign::Failure& failure) {
      return failure.judgement.signature == found.judgement.signature;
    });
    if (same == outcome.failures.end()) {
      outcome.failures.push_back(found);
    } else {
      same->count += found.count;
    }
  }
  result.failures = std::move(outcome.failures);
  result.totals.failures = result.failures.size();
}

}  // namespace heddle
