// heddle replay: makes a kept failure again and says how often it came, and where it went another way.
#include <fmt/core.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <optional>

#include "campaign/debug_replay.h"
#include "campaign/failure_folder.h"
#include "campaign/reproduce.h"
#include "driver/command_line.h"
#include "driver/commands.h"
#include "driver/kept_failure.h"
#include "host/files.h"
#include "host/text.h"

namespace heddle {
namespace {

namespace fs = std::filesystem;
using campaign::OpenedFailure;
using campaign::Reproduction;
using campaign::Schedule;

constexpr int kNoGdb = 127;

int debug(const Prepared& prepared, const Schedule& schedule) {
  std::string directory = (fs::temp_directory_path() / "heddle-gdb-XXXXXX")
                              .string();  // the program's, while gdb runs it
  if (mkdtemp(directory.data()) == nullptr) {
    return report(system_error("create a temporary directory", errno));
  }
  const std::string arguments_file = directory + ".arguments";
  const auto clean_up = [&] {
    std::error_code ignored;
    fs::remove_all(directory, ignored);
    fs::remove(arguments_file, ignored);
  };
  Result<campaign::DebugCommand> command =
      campaign::prepare_debugging(prepared.program, schedule.input, directory, arguments_file);
  if (!command) {
    clean_up();
    return report(command.error());
  }
  std::vector<char*> arguments;
  for (std::string& text : command->arguments) arguments.push_back(text.data());
  arguments.push_back(nullptr);
  std::vector<char*> environment;
  for (std::string& text : command->environment) environment.push_back(text.data());
  environment.push_back(nullptr);
  if (chdir(prepared.program.directory.c_str()) != 0) {
    return report(system_error("enter " + prepared.program.directory, errno));
  }
  std::fflush(stdout);
  const pid_t debugger = fork();
  if (debugger < 0) return report(system_error("start gdb", errno));
  if (debugger == 0) {
    execvpe("gdb", arguments.data(), environment.data());
    _exit(kNoGdb);
  }
  // Ctrl-C is gdb's.
  signal(SIGINT, SIG_IGN);
  signal(SIGQUIT, SIG_IGN);
  int status = 0;
  while (waitpid(debugger, &status, 0) < 0 && errno == EINTR) {
  }
  clean_up();
  if (WIFEXITED(status) && WEXITSTATUS(status) == kNoGdb) {
    return report(
        Error{"gdb cannot be started; install it (Debian: apt install gdb).", kExitUnsupported});
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : kExitInconclusive;
}

void tell_attempts(const Reproduction& reproduction) {
  bool diverged = false;
  bool other = false;
  for (const campaign::Attempt& attempt : reproduction.attempts) {
    const std::string& text = attempt.divergence;
    if (!text.empty() && !diverged) {
      fmt::print("diverged: {}, and went on from there\n", text);
      diverged = true;
    } else if (text.empty() && !attempt.same_events && !diverged) {
      fmt::print("diverged: the same decisions led to other events than recorded\n");
      diverged = true;
    }
    if (!attempt.same_failure && attempt.judgement.failed() && !other) {
      fmt::print("another failure came: {}\n", attempt.judgement.message);
      other = true;
    }
  }
}

// The very program that failed under this schedule, and went another way now: that it passed says nothing.
bool says_nothing(const Prepared& prepared, const Reproduction& reproduction) {
  return prepared.differences.empty() &&
         std::ranges::any_of(reproduction.attempts, [](const campaign::Attempt& attempt) {
           return !attempt.divergence.empty() || !attempt.same_events;
         });
}

int exit_status(const Prepared& prepared, const Reproduction& reproduction) {
  const std::size_t made = reproduction.attempts.size();
  if (made > 0 && reproduction.same == made) return kExitFailureFound;
  if (made > 0 && reproduction.passed == made && !says_nothing(prepared, reproduction)) {
    return kExitNothingFound;
  }
  return kExitInconclusive;
}

// A minimal schedule leaves all that it does not name to the default. Behind a prefix of it goes on what found the failure.
void go_on_as_found(OpenedFailure& opened) {
  const std::optional<Schedule> found = schedule_as_found(opened);
  if (found) opened.schedule.input.plan.strategy = found->input.plan.strategy;
}

// What the strategy made of a prefix is a failure of its own.
void keep_remainder(const Prepared& prepared, const OpenedFailure& opened,
                    Reproduction& reproduction) {
  NewFailure failure;
  failure.old = &opened;
  failure.program = &prepared.program;
  if (reproduction.capture) {
    failure.judgement = std::move(reproduction.judgement);
    failure.record = std::move(reproduction.captured_record);
    failure.capture = *std::move(reproduction.capture);
  } else if (reproduction.other_capture) {
    campaign::Attempt& attempt = reproduction.attempts[reproduction.other_attempt];
    failure.judgement = attempt.judgement;
    failure.record = attempt.record;
    failure.capture = *std::move(reproduction.other_capture);
  } else {
    return;
  }
  failure.record.input.plan.flags &= ~static_cast<std::uint32_t>(kPlanRecordTrace | kPlanStacks);
  const Result<std::string> kept = keep_beside(std::move(failure));
  if (!kept) {
    report(kept.error());
    return;
  }
  fmt::print("kept in {}\n", *kept);
}

int replay_times(const Prepared& prepared, const OpenedFailure& opened, unsigned times) {
  Result<std::unique_ptr<RunningFailure>> running = RunningFailure::start(prepared, opened);
  if (!running) return report(running.error());

  campaign::ReproductionRequest request;
  request.input = opened.schedule.input;
  request.expected = opened.schedule.judgement;
  if (request.input.plan.replay_prefix == kUnlimited) {
    request.event_hash = opened.schedule.event_hash;
  }
  request.times = times;
  Reproduction reproduction = reproduce((*running)->crew(), request);
  tell_attempts(reproduction);
  if (request.input.plan.replay_prefix != kUnlimited) {
    keep_remainder(prepared, opened, reproduction);
  }
  fmt::print("reproduced {}/{}\n", reproduction.same, reproduction.attempts.size());
  if ((*running)->interrupted()) return kExitInconclusive;
  return exit_status(prepared, reproduction);
}

}  // namespace

int replay_command(Arguments arguments) {
  CommandApp command("replay",
                     "  heddle replay heddle-out/failures/<id>\n"
                     "  heddle replay heddle-out/failures/<id> --times 100\n"
                     "  heddle replay heddle-out/failures/<id> --gdb\n"
                     "  heddle replay mailed-folder -- ./build/prog");
  std::string failure;
  std::string times_text = "10";
  std::string prefix_text;
  bool gdb = false;
  command.app.add_option("FAILURE", failure, "a failure's folder, or its schedule.json");
  command.app.add_option("--times", times_text, "how often (10)");
  command.app.add_option("--prefix", prefix_text,
                         "follow only so many decisions, then let the strategy go on");
  command.app.add_flag("--gdb", gdb, "under gdb, stopped where it fails");
  if (const std::optional<int> end = parse(command, arguments)) return *end;
  if (failure.empty()) {
    return report(Error{"Name the failure to replay, for example heddle-out/failures/<id>."});
  }
  const Result<std::uint64_t> times = parse_count(times_text, {1, 1'000'000});
  if (!times) return report(wrong_option("--times", times.error()));
  Result<OpenedFailure> opened = open_replayable(failure);
  if (!opened) return report(opened.error());
  Schedule& schedule = opened->schedule;
  if (!prefix_text.empty()) {
    const Result<std::uint64_t> prefix = parse_count(prefix_text);
    if (!prefix) return report(wrong_option("--prefix", prefix.error()));
    schedule.input.plan.replay_prefix = *prefix;
    go_on_as_found(*opened);
    if (schedule.decisions_dropped == 0) campaign::follow_decisions(schedule.input.plan);
  }
  const Result<Prepared> prepared = prepare(schedule, command.program);
  if (!prepared) return report(prepared.error());
  fmt::print("replaying: {}\n", schedule.judgement.message);
  for (const std::string& difference : prepared->differences) {
    fmt::print("differs: {}\n", difference);
  }
  if (gdb) return debug(*prepared, schedule);
  return replay_times(*prepared, *opened, static_cast<unsigned>(*times));
}

}  // namespace heddle
