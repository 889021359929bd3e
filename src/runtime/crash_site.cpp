#include "runtime/crash_site.h"

#include <signal.h>
#include <sys/ucontext.h>

#include "contract/control_block.h"
#include "runtime/controlled/task.h"
#include "runtime/identity.h"
#include "runtime/mode.h"
#include "runtime/platform/syscall.h"
#include "runtime/thread.h"

namespace heddle::runtime {
namespace {

constexpr int kFatal[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};

// Inside a library, or where a signal was raised, the program counter says little: then the last thing that the thread was
// about to do tells more.
SiteId site_now(int signal, void* context) {
  const auto& registers = static_cast<ucontext_t*>(context)->uc_mcontext.gregs;
  // Sites are return addresses: one past the instruction.
  const SiteId here = site_of(reinterpret_cast<void*>(registers[REG_RIP] + 1));
  if (signal != SIGABRT && site_module(here) == 0 && here.value != 0) return here;
  const auto* const task = static_cast<const controlled::Task*>(self().controlled);
  return task != nullptr && task->pending.site.value != 0 ? task->pending.site : here;
}

void on_fatal(int signal, siginfo_t* info, void* context) {
  ControlBlock& control = *g_control;
  if (control.outcome.crash_site.value == 0) control.outcome.crash_site = site_now(signal, context);
  struct sigaction action {};
  action.sa_handler = SIG_DFL;
  sigaction(signal, &action, nullptr);
  // A fault comes again when we return, and abort() sees to itself; what somebody sent would not.
  if (info->si_code <= 0 && signal != SIGABRT) raise(signal);
}

}  // namespace

void note_crashes() {
  for (const int signal : kFatal) {
    struct sigaction now {};
    if (sigaction(signal, nullptr, &now) != 0 || now.sa_handler != SIG_DFL) continue;
    struct sigaction action {};
    action.sa_sigaction = on_fatal;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK;
    sigemptyset(&action.sa_mask);
    sigaction(signal, &action, nullptr);
  }
}

}  // namespace heddle::runtime
