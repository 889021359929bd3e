// What the tool does to a thread that sleeps where nobody can see it, or works for long: control goes on without it.
#include <errno.h>
#include <signal.h>
#include <ucontext.h>

#include "contract/control_block.h"
#include "runtime/controlled/operations.h"
#include "runtime/controlled/outside.h"
#include "runtime/free_engine.h"
#include "runtime/own_handlers.h"

// Of the linker's: where the library that this is part of begins, and where its code ends.
extern "C" [[gnu::visibility("hidden")]] const char __ehdr_start;
extern "C" [[gnu::visibility("hidden")]] const char etext;

namespace heddle::controlled {

namespace {

// The thread was in our own code: between two steps that belong together, and soon at a point or in the program again.
bool interrupted_us(const void* context) {
  const auto& registers = static_cast<const ucontext_t*>(context)->uc_mcontext.gregs;
  const auto at = static_cast<std::uint64_t>(registers[REG_RIP]);
  return at >= reinterpret_cast<std::uint64_t>(&__ehdr_start) &&
         at < reinterpret_cast<std::uint64_t>(&etext);
}

// Somebody else would run if this thread let go, now or when time has passed: a thread that works may wait for that one.
bool others_could_go_on(const Task& self) {
  if (g_outside_count != 0 || g_engine.control->timer_ms != 0) return true;
  for (std::uint32_t i = g_engine.live_from; i < g_engine.task_count; ++i) {
    const Task& task = g_engine.tasks[i];
    if (&task == &self || task.state != TaskState::live) continue;
    if (task.deadline != kNever || enabled_now(task)) return true;
  }
  return false;
}

void pass_over(Task& self, void* caller) {
  ++g_engine.control->outcome.watchdog_handovers;
  self.lost_control = true;
  leave_control("(no progress)", caller);
}

// In the thread that has control but makes no progress, wherever it is.
void on_watchdog(int, siginfo_t* info, void* context) {
  runtime::ThreadState& thread = runtime::self();
  if (!runtime::controlled() || !thread.has_control) return;
  Task& self = *static_cast<Task*>(thread.controlled);
  const bool works = info->si_code == SI_QUEUE && info->si_value.sival_int == kWatchdogWorks;
  if (thread.in_runtime || interrupted_us(context)) {
    self.asked_to_leave = works;
    return;
  }
  const int saved_errno = errno;
  if (!works || others_could_go_on(self)) pass_over(self, __builtin_return_address(0));
  errno = saved_errno;
}

}  // namespace

void leave_as_asked(Task& self, void* caller) {
  self.asked_to_leave = false;
  if (others_could_go_on(self)) pass_over(self, caller);
}

void arm_watchdog() {
  runtime::install_own_handler(kWatchdogSignal, on_watchdog, SA_RESTART,
                               runtime::WhileHandling::block_everything);
}

}  // namespace heddle::controlled
