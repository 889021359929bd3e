// libc's syscall(): libstdc++ waits on atomics, semaphores, latches, barriers, futures and function-local statics through
// it with SYS_futex. Other numbers that have an entry point here go the same way as their function; the rest pass.
#include <errno.h>
#include <linux/futex.h>
#include <signal.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <unistd.h>

#include <cstdarg>

#include "runtime/controlled/clock.h"
#include "runtime/controlled/operations.h"
#include "runtime/entry.h"
#include "runtime/free_engine.h"
#include "runtime/module_table.h"
#include "runtime/own_handlers.h"
#include "runtime/pinned_ids.h"
#include "runtime/platform/export.h"
#include "runtime/platform/real.h"
#include "runtime/platform/syscall.h"

namespace heddle::runtime {

namespace {

constexpr long kFutexWaitv = 449;  // older headers have no name for it

struct Arguments {
  long a, b, c, d, e, f;
};

HEDDLE_REAL Real<long(long, long, long, long, long, long, long)> real_syscall{"syscall"};

long forward(long number, const Arguments& with) {
  return real_syscall(number, with.a, with.b, with.c, with.d, with.e, with.f);
}

template <class T>
T* pointer(long argument) {
  return reinterpret_cast<T*>(argument);
}

EventKind futex_kind(int operation) {
  switch (operation & FUTEX_CMD_MASK) {
    case FUTEX_WAIT:
    case FUTEX_WAIT_BITSET:
    case FUTEX_LOCK_PI:
    case FUTEX_LOCK_PI2:
    case FUTEX_TRYLOCK_PI:
    case FUTEX_WAIT_REQUEUE_PI:
      return EventKind::futex_wait;
    case FUTEX_REQUEUE:
    case FUTEX_CMP_REQUEUE:
    case FUTEX_CMP_REQUEUE_PI:
      return EventKind::futex_requeue;
    default:
      return EventKind::futex_wake;
  }
}

// Only the two that wait have a time there, one a length and one a deadline; to others it is a number.
TamperedTime futex_timeout(const Arguments& with) {
  const int operation = static_cast<int>(with.b);
  const auto* const time = pointer<const timespec>(with.d);
  if ((operation & FUTEX_CMD_MASK) == FUTEX_WAIT) return TamperedTime::lasting(time);
  if ((operation & FUTEX_CMD_MASK) != FUTEX_WAIT_BITSET) return {};
  const bool wall = (operation & FUTEX_CLOCK_REALTIME) != 0;
  return TamperedTime::until(wall ? CLOCK_REALTIME : CLOCK_MONOTONIC, time);
}

// libstdc++ waits on behalf of the program. What an exception has left behind does not count: the program itself calls then.
void* whose_futex(void* caller) {
  void* const announced = current_thread().futex_caller;
  if (announced == nullptr) return caller;
  const auto module = [](void* code) { return find_module(reinterpret_cast<std::uint64_t>(code)); };
  return module(caller) == module(announced) ? caller : announced;
}

long futex(const Arguments& with, void* call) {
  void* const caller = whose_futex(call);
  auto* const word = pointer<std::uint32_t>(with.a);
  const int operation = static_cast<int>(with.b);
  if (under_control())
    return controlled::futex(word, operation, static_cast<std::uint32_t>(with.c),
                             pointer<const timespec>(with.d), pointer<std::uint32_t>(with.e),
                             static_cast<std::uint32_t>(with.f), caller);
  return around({futex_kind(operation), word, caller, static_cast<std::uint64_t>(operation)}, [&] {
    const TamperedTime time = futex_timeout(with);
    Arguments shortened = with;
    if (time.get() != nullptr) shortened.d = as_word(time.get());
    return forward(SYS_futex, shortened);
  });
}

// System calls return their errors through errno, clock_nanosleep itself.
long with_errno(int error) {
  if (error == 0) return 0;
  errno = error;
  return -1;
}

// A process or a thread that is named there.
Arguments with_first_real(Arguments with) {
  with.a = real_id(static_cast<pid_t>(with.a));
  return with;
}
Arguments with_second_real(Arguments with) {
  with.b = real_id(static_cast<pid_t>(with.b));
  return with;
}

// What the program itself tells of a signal. That it came from kill() or from the kernel the kernel lets nobody say of another.
bool take_info(long told, int signal, siginfo_t* info) {
  if (told == 0) return false;
  *info = *pointer<const siginfo_t>(told);
  info->si_signo = signal;
  return info->si_code < 0 && info->si_code >= SI_DETHREAD && info->si_code != SI_TKILL;
}

bool send_to_thread(pid_t process, pid_t thread, long signal, void* caller) {
  const siginfo_t info = controlled::signal_info(static_cast<int>(signal), SI_TKILL);
  return entry::send_signal_to_thread(process, thread, info, caller);
}

bool queue_to_thread(pid_t process, pid_t thread, long signal, long told, void* caller) {
  siginfo_t info;
  return take_info(told, static_cast<int>(signal), &info) &&
         entry::send_signal_to_thread(process, thread, info, caller);
}

bool queue_to_process(pid_t process, long signal, long told, void* caller) {
  siginfo_t info;
  return take_info(told, static_cast<int>(signal), &info) &&
         entry::send_signal_to_process(process, info, caller);
}

long send_signal(long number, const Arguments& told, void* caller) {
  const bool names_both = number == SYS_tgkill || number == SYS_rt_tgsigqueueinfo;
  const Arguments with =
      names_both ? with_second_real(with_first_real(told)) : with_first_real(told);
  const auto first = static_cast<pid_t>(with.a);
  const auto second = static_cast<pid_t>(with.b);
  const bool sent = number == SYS_tgkill  ? send_to_thread(first, second, with.c, caller)
                    : number == SYS_tkill ? send_to_thread(own_process(), first, with.b, caller)
                    : names_both          ? queue_to_thread(first, second, with.c, with.d, caller)
                                          : queue_to_process(first, with.b, with.c, caller);
  return sent ? 0 : forward(number, with);
}

long dispatch(long number, const Arguments& with, void* caller) {
  switch (number) {
    case SYS_futex:
      return futex(with, caller);
    case SYS_sched_yield:
      return entry::yield(caller);
    case SYS_nanosleep:
      return with_errno(entry::sleep(CLOCK_REALTIME, 0, pointer<const timespec>(with.a),
                                     pointer<timespec>(with.b), caller));
    case SYS_clock_nanosleep:
      return with_errno(entry::sleep(static_cast<clockid_t>(with.a), static_cast<int>(with.b),
                                     pointer<const timespec>(with.c), pointer<timespec>(with.d),
                                     caller));
    case SYS_clock_gettime:
      return entry::clock_read(static_cast<clockid_t>(with.a), pointer<timespec>(with.b), caller);
    case SYS_gettimeofday:
      return gettimeofday(pointer<timeval>(with.a), pointer<void>(with.b));
    case SYS_time:
      return time(pointer<time_t>(with.a));
    case SYS_getrandom:
      return getrandom(pointer<void>(with.a), static_cast<std::size_t>(with.b),
                       static_cast<unsigned>(with.c));
    case SYS_getpid:
      return getpid();
    case SYS_gettid:
      return gettid();
    case SYS_getppid:
      return getppid();
    case SYS_getpgid:
      return getpgid(static_cast<pid_t>(with.a));
    case SYS_kill:
      return kill(static_cast<pid_t>(with.a), static_cast<int>(with.b));
    case SYS_tgkill:
    case SYS_tkill:
    case SYS_rt_tgsigqueueinfo:
    case SYS_rt_sigqueueinfo:
      return send_signal(number, with, caller);
    case SYS_getpgrp:
      return getpgrp();
    case SYS_getsid:
      return getsid(static_cast<pid_t>(with.a));
    case SYS_setpgid:
      return setpgid(static_cast<pid_t>(with.a), static_cast<pid_t>(with.b));
    case SYS_getpriority:
    case SYS_setpriority:
      return forward(number, with.a == PRIO_USER ? with : with_second_real(with));
    case SYS_pidfd_open:
    case SYS_sched_setaffinity:
    case SYS_sched_getaffinity:
    case SYS_sched_setscheduler:
    case SYS_sched_getscheduler:
    case SYS_sched_setparam:
    case SYS_sched_getparam:
    case SYS_sched_rr_get_interval:
    case SYS_prlimit64:
      return forward(number, with_first_real(with));
    case kFutexWaitv:
      // Its waiters would hear of no wake-up that we model. Programs have another way, for kernels before 5.16.
      if (!under_control() && !before_controlled_run()) return forward(number, with);
      return with_errno(ENOSYS);
    case SYS_rt_sigaction:
      withdraw_own_handler(static_cast<int>(with.a));
      return forward(number, with);
    default:
      return forward(number, with);
  }
}

}  // namespace

}  // namespace heddle::runtime

HEDDLE_EXPORT long syscall(long number, ...) {
  va_list list;
  va_start(list, number);
  heddle::runtime::Arguments with;
  with.a = va_arg(list, long);
  with.b = va_arg(list, long);
  with.c = va_arg(list, long);
  with.d = va_arg(list, long);
  with.e = va_arg(list, long);
  with.f = va_arg(list, long);
  va_end(list);
  if (heddle::runtime::inactive() && !heddle::controlled::g_on_child_clock &&
      !heddle::runtime::before_controlled_run()) {
    return heddle::runtime::forward(number, with);
  }
  return heddle::runtime::dispatch(number, with, HEDDLE_CALLER);
}
