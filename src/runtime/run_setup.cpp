#include "runtime/run_setup.h"

#include <fcntl.h>
#include <unistd.h>

#include "runtime/affinity.h"
#include "runtime/call_stack.h"
#include "runtime/controlled/begin.h"
#include "runtime/crash_site.h"
#include "runtime/detection.h"
#include "runtime/environment.h"
#include "runtime/free_engine.h"
#include "runtime/identity.h"
#include "runtime/memory_shares.h"
#include "runtime/mode.h"
#include "runtime/pinned_ids.h"
#include "runtime/platform/memory.h"
#include "runtime/platform/syscall.h"
#include "runtime/platform/text.h"
#include "runtime/ticks.h"

namespace heddle::runtime {
namespace {

std::uint32_t g_modules_before_runs = 0;

// Puts a file in the place of a standard descriptor. A file that cannot be opened leaves what was there.
void reopen(const char* path, int flags, int target) {
  if (path[0] == '\0') return;
  const long opened = raw_syscall(SYS_openat, AT_FDCWD, as_word(path), flags, 0644);
  if (opened < 0 || opened == target) return;
  raw_syscall(SYS_dup2, opened, target);
  raw_syscall(SYS_close, opened);
}

// What a server has open for its children: they append, and the tool empties the files between runs.
char g_stdout_path[sizeof(RunPlan::stdout_path)];
char g_stderr_path[sizeof(RunPlan::stderr_path)];

}  // namespace

void reopen_standard(const RunPlan& plan) {
  constexpr int kWrite = O_WRONLY | O_APPEND | O_CREAT;
  if (text_equal(plan.stdout_path, g_stdout_path) && text_equal(plan.stderr_path, g_stderr_path)) {
    return;
  }
  reopen(plan.stdout_path, kWrite, 1);
  if (plan.stdout_path[0] != '\0' && text_equal(plan.stdout_path, plan.stderr_path)) {
    raw_syscall(SYS_dup2, 1, 2);
  } else {
    reopen(plan.stderr_path, kWrite, 2);
  }
  TextBuilder(g_stdout_path, sizeof g_stdout_path).add(plan.stdout_path);
  TextBuilder(g_stderr_path, sizeof g_stderr_path).add(plan.stderr_path);
}

namespace {

void set_temporary_directory(const RunPlan& plan, char** environment) {
  if (plan.temporary_directory[0] == '\0') return;
  constexpr std::size_t kCapacity = sizeof plan.temporary_directory + 8;
  char* const entry = static_cast<char*>(allocate_forever(kCapacity));
  if (entry == nullptr) return;
  TextBuilder(entry, kCapacity).add("TMPDIR=").add(plan.temporary_directory);
  // The control variable's place is free.
  set_variable(environment, "TMPDIR", entry, true);
  if (environ != environment && environ != nullptr) {
    // A library has moved the environment: ours must be one it does not outgrow.
    if (set_variable(environ, "TMPDIR", entry, false)) return;
    std::size_t count = 0;
    while (environ[count] != nullptr) ++count;
    auto** const larger = static_cast<char**>(allocate_forever((count + 2) * sizeof(char*)));
    if (larger == nullptr) return;
    for (std::size_t i = 0; i < count; ++i) larger[i] = environ[i];
    larger[count] = entry;
    environ = larger;
  }
}

void clear_results(ControlBlock& control) {
  control.outcome = RunOutcome{};
  control.module_count = g_modules_before_runs;
  control.heap_record_count = 0;
  control.access_count = 0;
  control.finding_count = 0;
  control.findings_dropped = 0;
  control.detection_dropped = 0;
  control.lesson_count = 0;
  control.trace_count = 0;
  control.progress = 0;
  control.running_tid = 0;
  for (PassedControl& passed : control.passed) passed = {};
  control.process_in_control = 0;
}

}  // namespace

void remember_modules() {
  note_modules();
  g_modules_before_runs = g_control->module_count;
}

void set_up_run(const ProgramStart& start) {
  ControlBlock& control = *g_control;
  const RunPlan& plan = control.plan;
  clear_results(control);
  // The tool starts every server with /dev/null there.
  if (!text_equal(plan.stdin_path, "/dev/null")) reopen(plan.stdin_path, O_RDONLY, 0);
  reopen_standard(plan);
  set_temporary_directory(plan, start.environment);
  for (int i = 0; i < start.argc; ++i) start.argv[i] = with_run_number(start.argv[i], plan.run);
  if (plan.engine == EngineKind::inactive) return;

  g_level = plan.level;
  limit_growth(memory_shares(plan).names);
  if (plan.engine == EngineKind::controlled) {
    if (plan.cpu != 0xffff) pin_to(plan.cpu);
    g_note_heap = true;
  } else {
    begin_free_run();
  }
  begin_detection();
  g_engine = plan.engine;
  register_main_thread(start.stack_end);
  if ((plan.flags & kPlanPinnedIds) != 0) begin_pinned_ids();
  note_crashes();
  if ((plan.flags & kPlanVirtualTicks) != 0) begin_virtual_ticks();
  if (controlled()) {
    controlled::begin_run();
    keep_call_stack();
  } else {
    begin_free_thread();
  }
}

}  // namespace heddle::runtime
