// From the plan in the control block to a process that is about to run main under it.
#pragma once

namespace heddle::runtime {

struct ProgramStart {
  int argc;
  char** argv;
  void* stack_end;
  char** environment;  // the array behind argv
};

// In the run's own process. Afterwards the engine is on.
void set_up_run(const ProgramStart& start);

// In the server, once: how many modules there are before any run.
void remember_modules();

}  // namespace heddle::runtime
