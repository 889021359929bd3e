#include "runtime/crash_site.h"

#include <signal.h>
#include <string.h>
#include <sys/ucontext.h>
#include <unistd.h>

#include "contract/control_block.h"
#include "runtime/access.h"
#include "runtime/call_stack.h"
#include "runtime/controlled/task.h"
#include "runtime/identity.h"
#include "runtime/mode.h"
#include "runtime/own_handlers.h"
#include "runtime/pinned_ids.h"
#include "runtime/thread.h"

namespace heddle::runtime {
namespace {

pid_t g_noted_process;

// What looks for who catches an exception locks something of its own.
bool unwinds(SiteId site) {
  const std::uint32_t module = site_module(site);
  if (module >= g_control->module_count) return false;
  const char* const path = g_control->modules[module].path;
  return strstr(path, "/libgcc_s.so") != nullptr || strstr(path, "/libunwind") != nullptr;
}

// Inside a library, or where a signal was raised, the program counter says little: then the last thing that the thread was
// about to do tells more.
SiteId site_now(int signal, void* context) {
  const auto& registers = static_cast<ucontext_t*>(context)->uc_mcontext.gregs;
  // Sites are return addresses: one past the instruction.
  const SiteId here = site_of(reinterpret_cast<void*>(registers[REG_RIP] + 1));
  if (signal != SIGABRT && site_module(here) == 0 && here.value != 0) return here;
  const auto* const task = static_cast<const controlled::Task*>(self().controlled);
  if (task == nullptr || task->pending.site.value == 0) return here;
  const bool threw = self().thrown_at.value != 0 && unwinds(task->pending.site);
  return threw ? self().thrown_at : task->pending.site;
}

}  // namespace

// Where a library throws, what its caller did last tells more.
void note_throw(void* caller) {
  if (!controlled()) return;
  ThreadState& thread = self();
  const auto* const task = static_cast<const controlled::Task*>(thread.controlled);
  const bool own = task == nullptr || site_module(site_of(caller)) == 0 || is_instrumented(caller);
  thread.thrown_at = own ? site_of(caller) : task->pending.site;
}

void end_by(int signal, siginfo_t* info, void* context) {
  // A child of the program's is not the run.
  if (!inactive() && own_process() == g_noted_process) {
    RunOutcome& outcome = g_control->outcome;
    if (outcome.crash_site.value == 0) {
      outcome.crash_site = site_now(signal, context);
      outcome.crash_calls = calls_of(watched_calls());
    }
  }
  withdraw_own_handler(signal);
  // A fault comes again when we return, and abort() sees to itself; what somebody sent would not.
  if (info->si_code <= 0 && signal != SIGABRT) raise(signal);
}

void note_crashes() {
  g_noted_process = own_process();
  for (const int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT}) {
    install_own_handler(signal, end_by, SA_ONSTACK, WhileHandling::block_nothing_else);
  }
}

}  // namespace heddle::runtime
