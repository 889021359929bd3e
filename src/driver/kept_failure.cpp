#include "driver/kept_failure.h"
#include <fmt/core.h>

#include <algorithm>
#include <filesystem>
#include <optional>

#include "campaign/plan_maker.h"
#include "campaign/process_tree.h"
#include "campaign/reproduce.h"
#include "campaign/site_names.h"
#include "driver/program_under_test.h"
#include "host/elf_file.h"
#include "host/files.h"

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

// Libraries that are not what they were; the program and our own have lines of their own.
void add_changed_libraries(const std::vector<ModuleRecord>& modules, const fs::path& preload,
                           std::vector<std::string>& differences) {
  std::error_code ignored;
  for (std::size_t i = 1; i < modules.size(); ++i) {
    const fs::path path = modules[i].path;
    const std::string recorded = campaign::build_id_text(modules[i]);
    if (!path.is_absolute() || recorded.empty() || path.filename() == preload.filename()) continue;
    if (!fs::exists(path, ignored)) {
      differences.push_back(fmt::format("library: {} is not here", path.string()));
      continue;
    }
    const std::optional<ElfFile> file = ElfFile::open(path);
    const std::string here = file ? file->build_id() : "";
    if (here == recorded) continue;
    differences.push_back(fmt::format("library {}: recorded {}, here {}", path.string(), recorded,
                                      here.empty() ? "none" : here));
  }
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
  program.shows_memory = here->shows_memory;
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
  add_changed_libraries(schedule.modules, here->preload, prepared.differences);
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

std::optional<campaign::Schedule> schedule_as_found(const campaign::OpenedFailure& opened) {
  const fs::path file = opened.folder / campaign::kOriginalSchedule;
  const Result<std::string> text = read_file(file);
  if (!text) return std::nullopt;
  Result<campaign::Schedule> found = campaign::parse_schedule(*text, file.string());
  if (!found) return std::nullopt;
  return *std::move(found);
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
      new RunningFailure(prepared.program, *std::move(oracle), *std::move(scratch)));
  campaign::CrewSettings settings;
  settings.jobs = jobs;
  settings.engine = opened.schedule.input.plan.engine;
  settings.timeout = opened.schedule.timeout;
  settings.scratch = running->scratch_.path().string();
  running->crew_ = std::make_unique<campaign::Crew>(running->program_, settings, running->oracle_,
                                                    running->stop_);
  if (const Result<void> started = running->crew_->start(); !started) return started.error();
  return running;
}

Result<FailureAtHand> take_up(const std::string& path, const std::vector<std::string>& given) {
  FailureAtHand at_hand;
  Result<campaign::OpenedFailure> opened = open_replayable(path);
  if (!opened) return opened.error();
  at_hand.opened = *std::move(opened);
  Result<Prepared> prepared = prepare(at_hand.opened.schedule, given);
  if (!prepared) return prepared.error();
  at_hand.prepared = *std::move(prepared);
  for (const std::string& difference : at_hand.prepared.differences) {
    fmt::print("differs: {}\n", difference);
  }
  Result<std::unique_ptr<RunningFailure>> running =
      RunningFailure::start(at_hand.prepared, at_hand.opened);
  if (!running) return running.error();
  at_hand.running = *std::move(running);
  return at_hand;
}

Result<std::string> keep_beside(NewFailure found) {
  const campaign::Schedule& schedule = found.old->schedule;
  const fs::path& old = found.old->folder;
  const fs::path parent =
      old.parent_path().filename() == "failures" ? old.parent_path() : "heddle-out/failures";
  RunOptions options;
  options.timeout = schedule.timeout;
  options.fail_if = schedule.fail_if;
  if (!schedule.expect_output.empty()) options.expect_output = old / schedule.expect_output;
  campaign::Failure failure;
  failure.id = failure_id(found.judgement, found.program->executable);
  // What a campaign found is never overwritten by what came of varying it.
  std::error_code ignored;
  if (fs::exists(parent / failure.id, ignored)) failure.id += "-again";
  failure.judgement = std::move(found.judgement);
  failure.strategy = campaign::strategy_text(found.record.input.plan.strategy);
  failure.first_run = 1;
  failure.count = 1;
  failure.record = std::move(found.record);
  failure.record.input.plan.replay_prefix = kUnlimited;  // what it recorded is the whole of it
  failure.capture = std::move(found.capture);
  failure.reproduced = "not tried";
  failure.directory = fs::absolute(parent / failure.id).string();
  campaign::FolderContents contents;
  contents.failure = &failure;
  contents.program = found.program;
  contents.options = &options;
  contents.campaign_seed = schedule.campaign_seed;
  Result<fs::path> folder = write_failure_folder(parent, contents);
  if (!folder) return folder.error();
  return fs::proximate(*folder).string();
}

}  // namespace heddle
