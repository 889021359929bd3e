// What the tool does to a thread that sleeps where nobody can see it: control goes on without it.
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

// In the thread that has control but makes no progress, wherever it is.
void on_watchdog(int, siginfo_t*, void* context) {
  runtime::ThreadState& thread = runtime::self();
  if (!runtime::controlled() || !thread.has_control || thread.in_runtime) return;
  if (interrupted_us(context)) return;
  const int saved_errno = errno;
  ++g_engine.control->outcome.watchdog_handovers;
  static_cast<Task*>(thread.controlled)->lost_control = true;
  leave_control("(no progress)", __builtin_return_address(0));
  errno = saved_errno;
}

}  // namespace

void arm_watchdog() {
  runtime::install_own_handler(kWatchdogSignal, on_watchdog, SA_RESTART,
                               runtime::WhileHandling::block_everything);
}

}  // namespace heddle::controlled
