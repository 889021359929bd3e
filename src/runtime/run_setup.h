// From the plan in the control block to a process that is about to run main under it.
#pragma once

#include "contract/run_plan.h"

namespace heddle::runtime {

struct ProgramStart {
  int argc;
  char** argv;
  void* stack_end;
  char** environment;  // the array behind argv
};

// In the run's own process. Afterwards the engine is on.
void set_up_run(const ProgramStart& start);

// Standard output and error as the plan wants them. In the server before it forks, so that runs need not open them.
void reopen_standard(const RunPlan& plan);

// In the server, once: how many modules there are before any run.
void remember_modules();

}  // namespace heddle::runtime
