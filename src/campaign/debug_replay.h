// A replay under gdb: the command that starts it, with everything the program inherits already in place.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "campaign/control_map.h"
#include "campaign/program.h"
#include "campaign/run_record.h"
#include "host/result.h"

namespace heddle::campaign {

struct DebugCommand {
  std::vector<std::string> arguments;    // gdb and its own
  std::vector<std::string> environment;  // of gdb; the program's differs by what the arguments set
};

// Opens the control block and the pipes under the numbers that HEDDLE_CONTROL names, to be inherited through gdb: whoever
// calls this is about to become gdb. The program is told to stop where the failure is, and watchdogs are off. Its arguments go into
// a file.
Result<DebugCommand> prepare_debugging(const Program& program, RunInput input,
                                       const std::string& temporary_directory,
                                       const std::string& arguments_file);

}  // namespace heddle::campaign
