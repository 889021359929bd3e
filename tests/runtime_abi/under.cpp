// usage: under ENGINE LEVEL SEED STRATEGY PROGRAM [ARGUMENT...]
// Starts a program that has the runtime in it for one run, without the tool: ENGINE free (with noise) or controlled.
// Exits as the program does, or with 99 if the run ended with a verdict against it.
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#include "contract/control_block.h"

namespace {

using namespace heddle;

template <std::size_t N>
void set_text(char (&field)[N], const char* text) {
  std::strncpy(field, text, N - 1);
}

void make_plan(RunPlan& plan, const std::string& engine, const std::string& level, const char* seed,
               const char* strategy) {
  plan.run = 1;
  plan.seed = std::strtoull(seed, nullptr, 10);
  plan.engine = engine == "free" ? EngineKind::free : EngineKind::controlled;
  plan.level = level == "memory"    ? Level::memory
               : level == "atomics" ? Level::atomics
                                    : Level::sync;
  plan.cpu = 0xffff;
  plan.flags = kPlanStalls;
  plan.step_limit = kUnlimited;
  plan.max_stall_ns = 1'000'000'000;
  plan.start_time_ns = 1'700'000'000'000'000'000;
  plan.replay_prefix = kUnlimited;
  set_text(plan.strategy.name, strategy);
  if (plan.engine == EngineKind::controlled) return;
  set_text(plan.noise.placement, "random-all");
  set_text(plan.noise.seeding.name, "yield");
  plan.noise.seeding.strength = {1, 5};
  plan.noise.when = NoiseWhen::both;
  plan.noise.frequency = 200;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 6) return 2;
  const int memory = memfd_create("control", 0);
  if (memory < 0 || ftruncate(memory, sizeof(ControlBlock)) != 0) return 2;
  void* const mapped =
      mmap(nullptr, sizeof(ControlBlock), PROT_READ | PROT_WRITE, MAP_SHARED, memory, 0);
  if (mapped == MAP_FAILED) return 2;
  auto* const control = static_cast<ControlBlock*>(mapped);
  control->magic = kControlMagic;
  control->version = kControlVersion;
  control->size = sizeof(ControlBlock);
  make_plan(control->plan, argv[1], argv[2], argv[3], argv[4]);

  int commands[2];
  int status[2];
  if (pipe(commands) != 0 || pipe(status) != 0) return 2;
  const std::string variable = std::to_string(memory) + ":" + std::to_string(commands[0]) + ":" +
                               std::to_string(status[1]) + ":1";
  const pid_t child = fork();
  if (child == 0) {
    setenv(kControlVariable, variable.c_str(), 1);
    close(commands[1]);
    close(status[0]);
    execv(argv[5], argv + 5);
    _exit(2);
  }
  int result = 0;
  waitpid(child, &result, 0);
  const RunOutcome& outcome = control->outcome;
  std::fprintf(stderr, "verdict %d, events %lu, steps %lu, outside %lu, exit %d, signal %d\n",
               static_cast<int>(outcome.verdict), outcome.events, outcome.steps,
               outcome.uncontrolled_calls, WEXITSTATUS(result), WTERMSIG(result));
  if (WIFSIGNALED(result)) return 128 + WTERMSIG(result);
  if (WEXITSTATUS(result) != 0) return WEXITSTATUS(result);
  return outcome.verdict == Verdict::finished ? 0 : 99;
}
