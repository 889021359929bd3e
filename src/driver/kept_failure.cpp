#include "driver/kept_failure.h"

#include <unistd.h>

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "campaign/process_tree.h"
#include "campaign/reproduce.h"
#include "driver/program_under_test.h"

namespace heddle {

namespace {

namespace fs = std::filesystem;

Result<campaign::Oracle> oracle_of(const campaign::OpenedFailure& opened) {
  RunOptions options;
  options.fail_if = opened.schedule.fail_if;
  if (!opened.schedule.expect_output.empty()) {
    options.expect_output = opened.folder / opened.schedule.expect_output;
  }
  return campaign::Oracle::create(options);
}

}  // namespace

Result<Prepared> prepare(const campaign::Schedule& schedule,
                         const std::vector<std::string>& given) {
  Prepared prepared;
  const campaign::Program& recorded = schedule.program;
  const std::string path = given.empty() ? recorded.executable : given.front();
  Result<campaign::Program> here = program_under_test({path}, "");
  if (!here) {
    if (!given.empty()) return here.error();
    return Error{
        fmt::format("The recorded program cannot be used: {} Name it with '-- PROG' at "
                    "the end.",
                    here.error().sentence)};
  }
  campaign::Program& program = prepared.program;
  program = recorded;
  program.executable = here->executable;
  program.preload = here->preload;
  program.build_id = here->build_id;
  if (here->executable != recorded.executable) {
    prepared.differences.push_back(
        fmt::format("program: recorded {}, here {}", recorded.executable, here->executable));
  }
  if (here->build_id != recorded.build_id) {
    prepared.differences.push_back(fmt::format("build id: recorded {}, here {}", recorded.build_id,
                                               here->build_id.empty() ? "none" : here->build_id));
  }
  if (schedule.tool_version != HEDDLE_VERSION) {
    prepared.differences.push_back(
        fmt::format("heddle: recorded by {}, this is {}", schedule.tool_version, HEDDLE_VERSION));
  }
  std::error_code ignored;
  if (!fs::is_directory(recorded.directory, ignored)) {
    program.directory = fs::current_path().string();
    prepared.differences.push_back(
        fmt::format("directory: {} is not here, using {}", recorded.directory, program.directory));
  }
  if (access(recorded.stdin_path.c_str(), R_OK) != 0) {
    program.stdin_path = "/dev/null";
    prepared.differences.push_back(
        fmt::format("stdin: {} is not here, using /dev/null", recorded.stdin_path));
  }
  if (given.size() > 1) {
    program.arguments.assign(given.begin(), given.end());
    prepared.differences.push_back("arguments: those given here");
  }
  return prepared;
}

Result<campaign::OpenedFailure> open_replayable(const std::string& path) {
  Result<campaign::OpenedFailure> opened = campaign::open_failure(path);
  if (!opened) return opened;
  campaign::Schedule& schedule = opened->schedule;
  if (schedule.input.plan.engine != EngineKind::controlled) {
    return Error{
        "This failure came from the free engine, which records no decisions, so it cannot be "
        "replayed; hunt for it with --engine controlled, or run it again with the same --seed.",
        kExitInconclusive};
  }
  if (schedule.decisions_dropped == 0) campaign::follow_decisions(schedule.input.plan);
  return opened;
}

Result<std::unique_ptr<RunningFailure>> RunningFailure::start(const Prepared& prepared,
                                                              const campaign::OpenedFailure& opened,
                                                              unsigned jobs) {
  Result<campaign::Oracle> oracle = oracle_of(opened);
  if (!oracle) return oracle.error();
  Result<TemporaryDirectory> scratch = TemporaryDirectory::create("heddle");
  if (!scratch) return scratch.error();
  campaign::become_subreaper();
  std::unique_ptr<RunningFailure> running(
      new RunningFailure(*std::move(oracle), *std::move(scratch)));
  campaign::CrewSettings settings;
  settings.jobs = jobs;
  settings.engine = opened.schedule.input.plan.engine;
  settings.timeout = opened.schedule.timeout;
  settings.scratch = running->scratch_.path().string();
  running->crew_ = std::make_unique<campaign::Crew>(prepared.program, settings, running->oracle_,
                                                    running->stop_);
  if (const Result<void> started = running->crew_->start(); !started) return started.error();
  return running;
}

unsigned all_jobs() { return static_cast<unsigned>(std::max(1L, sysconf(_SC_NPROCESSORS_ONLN))); }

}  // namespace heddle
