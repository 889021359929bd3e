// Calls that wait for child processes, locks on files and signals.
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdarg>
#include <cstdint>
#include <cstring>

#include "runtime/blocking.h"
#include "runtime/controlled/real_time.h"
#include "runtime/entry.h"
#include "runtime/inheritable.h"
#include "runtime/pinned_ids.h"
#include "runtime/platform/export.h"
#include "runtime/platform/real.h"

using namespace heddle::runtime;  // NOLINT: thin entry points

namespace {

using heddle::controlled::WaitEnd;

HEDDLE_REAL Real<pid_t(pid_t, int*, int, rusage*)> real_wait4{"wait4"};
HEDDLE_REAL Real<int(idtype_t, id_t, siginfo_t*, int)> real_waitid{"waitid"};
HEDDLE_REAL Real<int(int, int)> real_flock{"flock"};
HEDDLE_REAL Real<int(int, int, long)> real_fcntl{"fcntl"};
HEDDLE_REAL Real<int(int, int, off_t)> real_lockf{"lockf"};
HEDDLE_REAL Real<int(const sigset_t*, int*)> real_sigwait{"sigwait"};
HEDDLE_REAL Real<int(const sigset_t*, siginfo_t*)> real_sigwaitinfo{"sigwaitinfo"};
HEDDLE_REAL Real<int(const sigset_t*, siginfo_t*, const timespec*)> real_sigtimedwait{
    "sigtimedwait"};
HEDDLE_REAL Real<int(const sigset_t*)> real_sigsuspend{"sigsuspend"};
HEDDLE_REAL Real<int()> real_pause{"pause"};
HEDDLE_REAL Real<int(const char*)> real_system{"system"};
HEDDLE_REAL Real<int(FILE*)> real_pclose{"pclose"};

// What handlers do meanwhile is no part of the run, nor what comes after a wait that something else has ended.
template <class Call>
auto while_child_has_control(Call&& call) -> decltype(call()) {
  ThreadState& thread = current_thread();
  thread.in_runtime = true;
  const auto result = call();
  const int saved = errno;
  if (heddle::controlled::take_control_back()) thread.in_runtime = false;
  errno = saved;
  return result;
}

// A child that may have control gets it while its parent waits. `attempt` does not wait, and `would_wait` tells of its answer.
template <class Attempt, class WouldWait, class Call>
auto wait_for_end(const char* name, void* caller, Attempt&& attempt, WouldWait&& would_wait,
                  Call&& call) -> decltype(call()) {
  if (heddle::controlled::is_waiting_for_child()) return while_child_has_control(call);
  if (!heddle::controlled::may_pass_control() || !under_control())
    return try_first(name, caller, attempt, would_wait, call);
  heddle::controlled::use_kernel(name, caller);
  const int before = errno;
  const auto result = attempt();
  if (!would_wait(result)) return result;
  errno = before;
  heddle::controlled::offer_control();
  return while_child_has_control(call);
}

void note_asked_in_vain() {
  if (under_control()) heddle::controlled::note_asked_in_vain();
}

pid_t wait_for_child(pid_t whose, int* status, int options, rusage* usage, void* caller) {
  const pid_t child = real_id(whose);  // one, or a group
  const pid_t ended = wait_for_end(
      "waitpid", caller, [&] { return real_wait4(child, status, options | WNOHANG, usage); },
      [&](pid_t found) { return found == 0 && (options & WNOHANG) == 0; },
      [&] { return real_wait4(child, status, options, usage); });
  if (ended == 0) note_asked_in_vain();
  return ended;
}

bool would_block(int result) {
  return result < 0 && (errno == EAGAIN || errno == EACCES || errno == EWOULDBLOCK);
}

int lock_record(int descriptor, int command, long argument, void* caller) {
  const int attempt = command == F_SETLKW ? F_SETLK : F_OFD_SETLK;
  return try_first(
      "fcntl", caller, [&] { return real_fcntl(descriptor, attempt, argument); }, would_block,
      [&] { return real_fcntl(descriptor, command, argument); });
}

int fcntl_entry(int descriptor, int command, long argument, void* caller) {
  if (command == F_SETLKW || command == F_OFD_SETLKW)
    return lock_record(descriptor, command, argument, caller);
  if (command == F_SETLK || command == F_OFD_SETLK) {
    const int result = real_fcntl(descriptor, command, argument);
    if (would_block(result)) note_asked_in_vain();
    return result;
  }
  if (command == F_SETOWN) argument = real_id(static_cast<pid_t>(argument));
  const int result = real_fcntl(descriptor, command, argument);
  return command == F_GETOWN ? told_process(result) : result;
}

// All signals there are.
std::uint64_t first_word(const sigset_t& set) {
  std::uint64_t word;
  memcpy(&word, &set, sizeof word);
  return word;
}

// Takes one of the signals, which the thread has blocked. Returns its number, or -1 and errno.
int take_signal(const sigset_t* set, siginfo_t* info, std::int64_t timeout_ns, void* caller) {
  const timespec at_once{};
  const Patience patience{timeout_ns, caller};
  for (;;) {
    const int number = real_sigtimedwait(set, info, &at_once);
    if (number >= 0 && info != nullptr && info->si_code <= 0) {
      info->si_pid = told_process(info->si_pid);  // somebody has sent it
    }
    if (number >= 0 || errno != EAGAIN) return number;
    const std::int64_t left = patience.left();
    heddle::controlled::thread_testcancel();
    const WaitEnd end = left == 0
                            ? WaitEnd::timed_out
                            : heddle::controlled::wait_for_signal(first_word(*set), left, caller);
    if (end == WaitEnd::timed_out) {
      errno = EAGAIN;
      return -1;
    }
    heddle::controlled::thread_testcancel();  // the engine wakes a thread that is cancelled
    if (end == WaitEnd::interrupted) {
      errno = EINTR;
      return -1;
    }
  }
}

int wait_for_handler(std::uint64_t mask, void* caller) {
  heddle::controlled::thread_testcancel();
  heddle::controlled::wait_for_handler(mask, caller);
  heddle::controlled::thread_testcancel();
  show_acquired(KernelObject::any_signal, 0, caller);
  errno = EINTR;
  return -1;
}

// Who takes a signal knows what its sender did before.
int known_sender(int number, void* caller) {
  if (number > 0) show_acquired(KernelObject::signal, static_cast<std::uint64_t>(number), caller);
  return number;
}

}  // namespace

int entry::pause(void* caller) {
  sigset_t mask;
  pthread_sigmask(SIG_BLOCK, nullptr, &mask);
  return wait_for_handler(first_word(mask), caller);
}

// child processes
HEDDLE_EXPORT pid_t wait(int* status) {
  return wait_for_child(-1, status, 0, nullptr, HEDDLE_CALLER);
}
HEDDLE_EXPORT pid_t waitpid(pid_t child, int* status, int options) {
  return wait_for_child(child, status, options, nullptr, HEDDLE_CALLER);
}
HEDDLE_EXPORT pid_t __waitpid(pid_t child, int* status, int options) {
  return wait_for_child(child, status, options, nullptr, HEDDLE_CALLER);
}
HEDDLE_EXPORT pid_t wait3(int* status, int options, rusage* usage) {
  return wait_for_child(-1, status, options, usage, HEDDLE_CALLER);
}
HEDDLE_EXPORT pid_t wait4(pid_t child, int* status, int options, rusage* usage) {
  return wait_for_child(child, status, options, usage, HEDDLE_CALLER);
}
HEDDLE_EXPORT int waitid(idtype_t type, id_t id, siginfo_t* info, int options) {
  siginfo_t
      own{};  // waitid may be asked to say nothing, but then nothing tells whether a child was found
  siginfo_t* const found = info != nullptr ? info : &own;
  if (type == P_PID || type == P_PGID) id = static_cast<id_t>(real_id(static_cast<pid_t>(id)));
  const int result = wait_for_end(
      "waitid", HEDDLE_CALLER,
      [&] {
        found->si_pid = 0;
        return real_waitid(type, id, found, options | WNOHANG);
      },
      [&](int answer) { return answer == 0 && found->si_pid == 0 && (options & WNOHANG) == 0; },
      [&] { return real_waitid(type, id, info, options); });
  if (result == 0 && (options & WNOHANG) != 0 && found->si_pid == 0) note_asked_in_vain();
  return result;
}
HEDDLE_EXPORT int system(const char* command) {
  const heddle::runtime::Inheritable during;
  if (under_control())
    heddle::controlled::note_child();  // what it leaves running has our descriptors
  return anywhere("system", HEDDLE_CALLER, [&] { return real_system(command); });
}
HEDDLE_EXPORT int pclose(FILE* stream) {
  return anywhere("pclose", HEDDLE_CALLER, [&] { return real_pclose(stream); });
}

// locks on files
HEDDLE_EXPORT int flock(int descriptor, int operation) {
  const int result = try_first(
      "flock", HEDDLE_CALLER, [&] { return real_flock(descriptor, operation | LOCK_NB); },
      [&](int result) { return (operation & LOCK_NB) == 0 && would_block(result); },
      [&] { return real_flock(descriptor, operation); });
  if (would_block(result)) note_asked_in_vain();  // a child may hold it
  return result;
}
HEDDLE_EXPORT int lockf(int descriptor, int command, off_t length) {
  if (command != F_LOCK) {
    const int result = real_lockf(descriptor, command, length);
    if (command == F_TLOCK && would_block(result)) note_asked_in_vain();
    return result;
  }
  return try_first(
      "lockf", HEDDLE_CALLER, [&] { return real_lockf(descriptor, F_TLOCK, length); }, would_block,
      [&] { return real_lockf(descriptor, F_LOCK, length); });
}
HEDDLE_EXPORT int fcntl(int descriptor, int command, ...) {
  va_list rest;
  va_start(rest, command);
  const long argument = va_arg(rest, long);
  va_end(rest);
  return fcntl_entry(descriptor, command, argument, HEDDLE_CALLER);
}
HEDDLE_EXPORT int fcntl64(int descriptor, int command, ...) {
  va_list rest;
  va_start(rest, command);
  const long argument = va_arg(rest, long);
  va_end(rest);
  return fcntl_entry(descriptor, command, argument, HEDDLE_CALLER);
}

// signals
HEDDLE_EXPORT int sigwait(const sigset_t* set, int* signal) {
  if (!under_control()) {
    const int error = around({heddle::EventKind::blocking_call, nullptr, HEDDLE_CALLER},
                             [&] { return real_sigwait(set, signal); });
    if (error == 0) known_sender(*signal, HEDDLE_CALLER);
    return error;
  }
  int number = -1;
  do {
    number = take_signal(set, nullptr, kForever, HEDDLE_CALLER);
  } while (number < 0 && errno == EINTR);  // it alone goes on after a handler
  if (number < 0) return errno;
  *signal = known_sender(number, HEDDLE_CALLER);
  return 0;
}
HEDDLE_EXPORT int sigwaitinfo(const sigset_t* set, siginfo_t* info) {
  const int number = under_control()
                         ? take_signal(set, info, kForever, HEDDLE_CALLER)
                         : around({heddle::EventKind::blocking_call, nullptr, HEDDLE_CALLER},
                                  [&] { return real_sigwaitinfo(set, info); });
  return known_sender(number, HEDDLE_CALLER);
}
HEDDLE_EXPORT int sigtimedwait(const sigset_t* set, siginfo_t* info, const timespec* timeout) {
  const bool is_valid = timeout == nullptr || (timeout->tv_sec >= 0 && timeout->tv_nsec >= 0 &&
                                               timeout->tv_nsec < 1'000'000'000);
  if (is_valid && under_control()) {
    const std::int64_t length =
        timeout == nullptr ? kForever
                           : timeout->tv_sec * std::int64_t{1'000'000'000} + timeout->tv_nsec;
    return known_sender(take_signal(set, info, length, HEDDLE_CALLER), HEDDLE_CALLER);
  }
  const int number = around({heddle::EventKind::blocking_call, nullptr, HEDDLE_CALLER},
                            [&] { return real_sigtimedwait(set, info, timeout); });
  return known_sender(number, HEDDLE_CALLER);
}
HEDDLE_EXPORT int sigsuspend(const sigset_t* set) {
  if (under_control()) return wait_for_handler(first_word(*set), HEDDLE_CALLER);
  return around({heddle::EventKind::blocking_call, nullptr, HEDDLE_CALLER},
                [&] { return real_sigsuspend(set); });
}
HEDDLE_EXPORT int pause() {
  if (under_control()) return entry::pause(HEDDLE_CALLER);
  return around({heddle::EventKind::blocking_call, nullptr, HEDDLE_CALLER},
                [] { return real_pause(); });
}
