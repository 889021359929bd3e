#include "campaign/debug_replay.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include <fmt/core.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <string_view>

#include "campaign/launch.h"
#include "campaign/worker.h"
#include "host/files.h"

namespace heddle::campaign {

namespace {

constexpr int kFirstFd = 901;

// Variables that only the program may see: gdb itself and what it starts must not have our runtime.
constexpr std::string_view kProgramOnly[] = {"LD_PRELOAD", kControlVariable, kArgumentsVariable,
                                             "GLIBC_TUNABLES"};

std::string_view name_of(const std::string& entry) {
  return std::string_view(entry).substr(0, entry.find('='));
}

bool is_program_only(const std::string& entry) {
  return std::ranges::find(kProgramOnly, name_of(entry)) != std::end(kProgramOnly);
}

// Without O_CLOEXEC: gdb hands on what it had open when it started.
bool inherit(int from, int to) { return dup2(from, to) == to; }

}  // namespace

Result<DebugCommand> prepare_debugging(const Program& program, RunInput input,
                                       const std::string& temporary_directory,
                                       const std::string& arguments_file) {
  // Without a shell gdb splits arguments at blanks and keeps its own backslashes.
  std::string arguments;
  for (const std::string& argument : arguments_of_run(program, input.plan.run)) {
    arguments.append(argument).push_back('\0');
  }
  if (Result<void> written = write_file(arguments_file, arguments); !written) {
    return written.error();
  }
  input.plan.flags |= kPlanNoWatchdog | kPlanStopAtFailure;
  input.plan.step_limit = kUnlimited;
  ControlMap map;
  if (map.block() == nullptr) return system_error("create the control block", map.error());
  write_run_input(*map.block(), input);
  RunPlan& plan = map.block()->plan;
  // Output goes to the user's terminal; input is the recorded one.
  std::strncpy(plan.stdin_path, program.stdin_path.c_str(), sizeof plan.stdin_path - 1);
  std::strncpy(plan.temporary_directory, temporary_directory.c_str(),
               sizeof plan.temporary_directory - 1);

  int command[2];
  int status[2];
  if (pipe(command) != 0 || pipe(status) != 0) return system_error("create a pipe", errno);
  // The other ends stay open in gdb, so that the runtime's greeting finds a reader, however often the user says "run".
  if (!inherit(map.descriptor(), kFirstFd) || !inherit(command[0], kFirstFd + 1) ||
      !inherit(status[1], kFirstFd + 2)) {
    return system_error("hand descriptors to gdb (raise 'ulimit -n')", errno);
  }

  LaunchRequest request;
  request.program = &program;
  request.engine = input.plan.engine;
  request.mode = ServerMode::one_shot;
  request.temporary_directory = temporary_directory;
  DebugCommand result;
  result.arguments = {"gdb", "-q", "-iex", "set pagination off", "-ex",
                      "set startup-with-shell off", "-ex", "set disable-randomization on", "-ex",
                      "unset environment LINES", "-ex", "unset environment COLUMNS",
                      // A run that fails by its exit status is to be looked at before it is gone.
                      "-ex", "catch syscall exit_group"};
  if ((input.plan.flags & kPlanVirtualTicks) != 0) {
    // Each reading of the counter is one; where the program dies of one, the runtime stops it.
    result.arguments.insert(result.arguments.end(), {"-ex", "handle SIGSEGV nostop noprint pass"});
  }
  std::vector<std::string> environment = launch_environment(request, kFirstFd);
  environment.push_back(fmt::format("{}={}", kArgumentsVariable, arguments_file));
  for (const std::string& entry : environment) {
    if (!is_program_only(entry)) {
      result.environment.push_back(entry);
      continue;
    }
    const std::string name(name_of(entry));
    result.arguments.insert(
        result.arguments.end(),
        {"-ex", fmt::format("set environment {} {}", name, entry.substr(name.size() + 1))});
  }
  if (const char* terminal = std::getenv("TERM")) {
    std::erase_if(result.environment, [](const std::string& e) { return name_of(e) == "TERM"; });
    result.environment.push_back(fmt::format("TERM={}", terminal));
  }
  result.arguments.insert(result.arguments.end(), {"-ex", "run", program.executable});
  return result;
}

}  // namespace heddle::campaign
