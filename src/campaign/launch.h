// Starts the program under test with the runtime preloaded and the control block in its hands.
#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

#include "campaign/program.h"
#include "contract/control_block.h"
#include "contract/run_plan.h"

namespace heddle::campaign {

struct LaunchRequest {
  const Program* program = nullptr;
  std::vector<std::string> arguments;  // argv of this start
  EngineKind engine = EngineKind::controlled;
  ServerMode mode = ServerMode::fork_server;
  int control_fd = -1;
  std::string temporary_directory;  // becomes TMPDIR
  // What the new process has as 0, 1 and 2; output files are opened for appending.
  std::string stdin_path;
  std::string stdout_path;
  std::string stderr_path;
};

struct Launched {
  pid_t pid = -1;
  int command_fd = -1;  // write end; closing it ends the server
  int status_fd = -1;   // read end
  int error = 0;        // errno of what failed, 0 if the program was started
  const char* failed_call = "";
};

Launched launch(const LaunchRequest& request);

// The environment of a start: the user's, with our variables added or replaced. The same size for every run of a program
// (DESIGN C6), because what lies on the stack above main moves with it.
// The control file is `first_fd` in the program, the command and status pipes follow.
std::vector<std::string> launch_environment(const LaunchRequest& request, int first_fd);

}  // namespace heddle::campaign
