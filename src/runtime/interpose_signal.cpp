// The program's signal handlers, told and set as if it were alone; and signals that it sends.
#include <errno.h>
#include <signal.h>
#include <unistd.h>

#include <cstddef>

#include "runtime/blocking.h"
#include "runtime/own_handlers.h"
#include "runtime/pinned_ids.h"
#include "runtime/platform/export.h"
#include "runtime/platform/real.h"

namespace heddle::runtime {
namespace {

using Handler = void (*)(int);

HEDDLE_REAL Real<int(int, const struct sigaction*, struct sigaction*)> real_sigaction{"sigaction"};
HEDDLE_REAL Real<Handler(int, Handler)> real_signal{"signal"};
HEDDLE_REAL Real<Handler(int, Handler)> real_sysv_signal{"__sysv_signal"};
HEDDLE_REAL Real<Handler(int, Handler)> real_sigset{"sigset"};
HEDDLE_REAL Real<int(int)> real_sigignore{"sigignore"};
HEDDLE_REAL Real<int(pid_t, int)> real_kill{"kill"};
HEDDLE_REAL Real<int(pid_t, int, const sigval)> real_sigqueue{"sigqueue"};
HEDDLE_REAL Real<int(pthread_t, int)> real_pthread_kill{"pthread_kill"};
HEDDLE_REAL Real<int(pthread_t, int, const sigval)> real_pthread_sigqueue{"pthread_sigqueue"};

// What was done before is known to who takes the signal (sigwait, signalfd). One that is sent to the calling thread itself (raise)
// tells nobody anything.
void show_sent(int signal, void* caller) {
  if (signal <= 0) return;
  show_released(KernelObject::signal, static_cast<std::uint64_t>(signal), caller);
  show_released(KernelObject::any_signal, 0, caller);
}

alignas(64) OwnHandler g_own[NSIG];  // see g_stacks

// Whose the timers of the signal are depends on whether there is a handler. Returns what it was given.
template <class Result>
Result with_timers_told(int signal, Result result) {
  if (!controlled() || !self().has_control || self().in_runtime) return result;
  const int saved_errno = errno;
  heddle::controlled::note_action(signal);
  errno = saved_errno;
  return result;
}

bool is_own(int signal, const struct sigaction& action) {
  return signal > 0 && signal < NSIG && g_own[signal] != nullptr &&
         (action.sa_flags & SA_SIGINFO) != 0 && action.sa_sigaction == g_own[signal];
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
  if (action != nullptr) withdraw_own_handler(signal);
  const int result = real_sigaction(signal, action, old);
  if (result == 0 && old != nullptr && is_own(signal, *old)) *old = {};
  return action == nullptr ? result : with_timers_told(signal, result);
}

HEDDLE_EXPORT Handler signal(int number, Handler handler) noexcept {
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
  withdraw_own_handler(number);
  return with_timers_told(number, real_sysv_signal(number, handler));
}

HEDDLE_EXPORT Handler sysv_signal(int number, Handler handler) noexcept {
  return __sysv_signal(number, handler);
}

HEDDLE_EXPORT Handler sigset(int number, Handler handler) noexcept {
  withdraw_own_handler(number);
  return with_timers_told(number, real_sigset(number, handler));
}

HEDDLE_EXPORT int sigignore(int number) noexcept {
  withdraw_own_handler(number);
  return with_timers_told(number, real_sigignore(number));
}

HEDDLE_EXPORT int kill(pid_t process, int signal) noexcept {
  show_sent(signal, HEDDLE_CALLER);
  const pid_t real = real_id(process);
  if (under_control() && real == own_process() &&
      heddle::controlled::send_signal_to_process(signal, HEDDLE_CALLER)) {
    return 0;
  }
  return real_kill(real, signal);
}

HEDDLE_EXPORT int sigqueue(pid_t process, int signal, const sigval value) noexcept {
  show_sent(signal, HEDDLE_CALLER);
  return real_sigqueue(real_id(process), signal, value);
}

HEDDLE_EXPORT int pthread_kill(pthread_t thread, int signal) noexcept {
  show_sent(signal, HEDDLE_CALLER);
  if (under_control() && heddle::controlled::send_signal(thread, signal, HEDDLE_CALLER)) return 0;
  return real_pthread_kill(thread, signal);
}

HEDDLE_EXPORT int pthread_sigqueue(pthread_t thread, int signal, const sigval value) noexcept {
  show_sent(signal, HEDDLE_CALLER);
  return real_pthread_sigqueue(thread, signal, value);
}
