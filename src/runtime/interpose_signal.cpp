// The program's signal handlers, told and set as if it were alone; and signals that it sends.
#include <errno.h>
#include <signal.h>
#include <unistd.h>

#include <cstddef>

#include "runtime/blocking.h"
#include "runtime/entry.h"
#include "runtime/faults.h"
#include "runtime/own_handlers.h"
#include "runtime/pinned_ids.h"
#include "runtime/platform/export.h"
#include "runtime/platform/real.h"

namespace heddle::runtime {
namespace {

namespace engine = heddle::controlled;
using Handler = void (*)(int);

HEDDLE_REAL Real<int(int, const struct sigaction*, struct sigaction*)> real_sigaction{"sigaction"};
HEDDLE_REAL Real<Handler(int, Handler)> real_signal{"signal"};
HEDDLE_REAL Real<Handler(int, Handler)> real_sysv_signal{"__sysv_signal"};
HEDDLE_REAL Real<Handler(int, Handler)> real_sigset{"sigset"};
HEDDLE_REAL Real<int(int)> real_sigignore{"sigignore"};
HEDDLE_REAL Real<int(pid_t, int)> real_kill{"kill"};
HEDDLE_REAL Real<int(pid_t, int, const sigval)> real_sigqueue{"sigqueue"};
HEDDLE_REAL Real<int(pid_t, pid_t, int)> real_tgkill{"tgkill"};
HEDDLE_REAL Real<int(pthread_t, int)> real_pthread_kill{"pthread_kill"};
HEDDLE_REAL Real<int(pthread_t, int, const sigval)> real_pthread_sigqueue{"pthread_sigqueue"};

// What was done before is known to who takes the signal (sigwait, signalfd). One that is sent to the calling thread itself (raise)
// tells nobody anything.
void show_sent(int signal, void* caller) {
  if (signal <= 0) return;
  show_released(KernelObject::signal, static_cast<std::uint64_t>(signal), caller);
  show_released(KernelObject::any_signal, 0, caller);
}

siginfo_t info_with(int signal, const sigval& value) {
  siginfo_t info = engine::signal_info(signal, SI_QUEUE);
  info.si_value = value;
  return info;
}

alignas(64) OwnHandler g_own[NSIG];  // see g_stacks

// Whose the timers of the signal are depends on whether there is a handler. Returns what it was given.
template <class Result>
Result with_timers_told(int signal, Result result) {
  if (!controlled() || !self().has_control || self().in_runtime) return result;
  const int saved_errno = errno;
  engine::note_action(signal);
  errno = saved_errno;
  return result;
}

bool is_own(int signal, const struct sigaction& action) {
  return signal > 0 && signal < NSIG && g_own[signal] != nullptr &&
         (action.sa_flags & SA_SIGINFO) != 0 && action.sa_sigaction == g_own[signal];
}

int change_action(int signal, const struct sigaction* action, struct sigaction* old) {
  if (action != nullptr) withdraw_own_handler(signal);
  const int result = real_sigaction(signal, action, old);
  if (result == 0 && old != nullptr && is_own(signal, *old)) *old = {};
  return action == nullptr ? result : with_timers_told(signal, result);
}

Handler set_fault_handler(Handler handler, int flags) {
  struct sigaction action {};
  struct sigaction before {};
  action.sa_handler = handler;
  action.sa_flags = flags;
  set_programs_fault_action(&action, &before);
  return before.sa_handler;
}

}  // namespace

void install_own_handler(int signal, OwnHandler handler, int flags, WhileHandling mask) {
  struct sigaction action {};
  action.sa_sigaction = handler;
  action.sa_flags = flags | SA_SIGINFO;
  if (mask == WhileHandling::block_everything) sigfillset(&action.sa_mask);
  struct sigaction before {};
  if (real_sigaction(signal, &action, &before) != 0) return;
  if (before.sa_handler == SIG_DFL || is_own(signal, before)) {
    g_own[signal] = handler;
  } else {
    real_sigaction(signal, &before, nullptr);
  }
}

void withdraw_own_handler(int signal) {
  struct sigaction now {};
  if (signal <= 0 || signal >= NSIG || g_own[signal] == nullptr) return;
  if (real_sigaction(signal, nullptr, &now) != 0 || !is_own(signal, now)) return;
  const struct sigaction none {};
  real_sigaction(signal, &none, nullptr);
}

}  // namespace heddle::runtime

using namespace heddle::runtime;

HEDDLE_EXPORT int sigaction(int signal, const struct sigaction* action,
                            struct sigaction* old) noexcept {
  if (takes_faults()) {
    if (signal == SIGSEGV) return set_programs_fault_action(action, old);
    if (action != nullptr) {
      const struct sigaction allowed = with_faults_unblocked(*action);
      return change_action(signal, &allowed, old);
    }
  }
  return change_action(signal, action, old);
}

HEDDLE_EXPORT Handler signal(int number, Handler handler) noexcept {
  if (takes_faults() && number == SIGSEGV) return set_fault_handler(handler, SA_RESTART);
  withdraw_own_handler(number);
  return with_timers_told(number, real_signal(number, handler));
}

HEDDLE_EXPORT Handler ssignal(int number, Handler handler) noexcept {
  return signal(number, handler);
}

// What bsd_signal and System V's signal are in libc, under every name a compiler or a header gives them.
HEDDLE_EXPORT Handler bsd_signal(int number, Handler handler) noexcept {
  return signal(number, handler);
}

HEDDLE_EXPORT Handler __sysv_signal(int number, Handler handler) noexcept {
  if (takes_faults() && number == SIGSEGV) {
    return set_fault_handler(handler, static_cast<int>(SA_RESETHAND) | SA_NODEFER);
  }
  withdraw_own_handler(number);
  return with_timers_told(number, real_sysv_signal(number, handler));
}

HEDDLE_EXPORT Handler sysv_signal(int number, Handler handler) noexcept {
  return __sysv_signal(number, handler);
}

HEDDLE_EXPORT Handler sigset(int number, Handler handler) noexcept {
  if (takes_faults() && number == SIGSEGV) return set_fault_handler(handler, 0);
  withdraw_own_handler(number);
  return with_timers_told(number, real_sigset(number, handler));
}

HEDDLE_EXPORT int sigignore(int number) noexcept {
  if (takes_faults() && number == SIGSEGV) {
    set_fault_handler(SIG_IGN, 0);
    return 0;
  }
  withdraw_own_handler(number);
  return with_timers_told(number, real_sigignore(number));
}

bool entry::send_signal_to_thread(pid_t process, pid_t thread, const siginfo_t& info,
                                  void* caller) {
  show_sent(info.si_signo, caller);
  return under_control() && process == own_process() &&
         engine::send_signal_to_thread(thread, info, caller);
}

bool entry::send_signal_to_process(pid_t process, const siginfo_t& info, void* caller) {
  show_sent(info.si_signo, caller);
  return under_control() && process == own_process() &&
         engine::send_signal_to_process(info, caller);
}

HEDDLE_EXPORT int kill(pid_t process, int signal) noexcept {
  const pid_t real = real_id(process);
  const siginfo_t info = engine::signal_info(signal, SI_USER);
  if (entry::send_signal_to_process(real, info, HEDDLE_CALLER)) return 0;
  return real_kill(real, signal);
}

HEDDLE_EXPORT int sigqueue(pid_t process, int signal, const sigval value) noexcept {
  const pid_t real = real_id(process);
  if (entry::send_signal_to_process(real, info_with(signal, value), HEDDLE_CALLER)) return 0;
  return real_sigqueue(real, signal, value);
}

HEDDLE_EXPORT int tgkill(pid_t process, pid_t thread, int signal) noexcept {
  const pid_t real = real_id(process);
  const pid_t real_thread = real_id(thread);
  const siginfo_t info = engine::signal_info(signal, SI_TKILL);
  if (entry::send_signal_to_thread(real, real_thread, info, HEDDLE_CALLER)) return 0;
  return real_tgkill(real, real_thread, signal);
}

HEDDLE_EXPORT int pthread_kill(pthread_t thread, int signal) noexcept {
  show_sent(signal, HEDDLE_CALLER);
  const siginfo_t info = engine::signal_info(signal, SI_TKILL);
  if (under_control() && engine::send_signal(thread, info, HEDDLE_CALLER)) return 0;
  return real_pthread_kill(thread, signal);
}

HEDDLE_EXPORT int pthread_sigqueue(pthread_t thread, int signal, const sigval value) noexcept {
  show_sent(signal, HEDDLE_CALLER);
  const siginfo_t info = info_with(signal, value);
  if (under_control() && engine::send_signal(thread, info, HEDDLE_CALLER)) return 0;
  return real_pthread_sigqueue(thread, signal, value);
}
