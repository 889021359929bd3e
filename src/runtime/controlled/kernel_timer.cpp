#include "runtime/controlled/kernel_timer.h"

#include <sys/syscall.h>
#include <sys/time.h>

#include "runtime/controlled/clock.h"
#include "runtime/controlled/engine.h"
#include "runtime/platform/syscall.h"

namespace heddle::controlled {

using runtime::as_word;
using runtime::raw_syscall;

namespace {

// libc's number of a timer without a function is the kernel's.
long kernel_number(const SignalTimer& timer) {
  return static_cast<int>(reinterpret_cast<std::intptr_t>(timer.number));
}

timeval as_kernel_alarm(std::uint64_t nanoseconds) {
  const timespec time = as_timespec(nanoseconds + 999);
  return {time.tv_sec, time.tv_nsec / 1000};
}

void set_in_kernel(const SignalTimer& timer, std::uint64_t value, std::uint64_t interval) {
  if (timer.is_alarm) {
    const itimerval time{as_kernel_alarm(interval), as_kernel_alarm(value)};
    raw_syscall(SYS_setitimer, ITIMER_REAL, as_word(&time), 0);
  } else {
    const itimerspec time{as_timespec(interval), as_timespec(value)};
    raw_syscall(SYS_timer_settime, kernel_number(timer), 0, as_word(&time), 0);
  }
}

}  // namespace

std::uint64_t left_in_kernel(const SignalTimer& timer) {
  if (timer.is_alarm) {
    itimerval time{};
    raw_syscall(SYS_getitimer, ITIMER_REAL, as_word(&time));
    return as_nanoseconds({time.it_value.tv_sec, time.it_value.tv_usec * 1000});
  }
  itimerspec time{};
  raw_syscall(SYS_timer_gettime, kernel_number(timer), as_word(&time));
  return as_nanoseconds(time.it_value);
}

std::uint64_t left_of(const SignalTimer& timer) {
  const std::uint64_t least = timer.is_alarm ? 1000 : 1;
  return timer.due > g_engine.now + least ? timer.due - g_engine.now : least;
}

void give_to_kernel(SignalTimer& timer, Holder as) {
  timer.holder = as;
  set_in_kernel(timer, left_of(timer), timer.interval);
}

void take_from_kernel(SignalTimer& timer) {
  if (timer.holder == Holder::kernel && left_in_kernel(timer) == 0) timer.due = kNever;
  set_in_kernel(timer, 0, 0);
  timer.holder = Holder::engine;
}

itimerspec state_of(const SignalTimer& timer) {
  if (timer.due == kNever) return {};
  // Without a handler it may have gone off unseen, if the signal is ignored.
  if (timer.holder == Holder::kernel && left_in_kernel(timer) == 0) return {};
  return {as_timespec(timer.interval), as_timespec(left_of(timer))};
}

siginfo_t info_of(const SignalTimer& timer) {
  siginfo_t info{};
  info.si_signo = timer.signal;
  if (timer.is_alarm) {
    info.si_code = SI_KERNEL;
  } else {
    info.si_code = SI_TIMER;
    info.si_timerid = static_cast<int>(kernel_number(timer));
    info.si_overrun = timer.overrun;
    info.si_value = timer.value;
  }
  return info;
}

// The kernel lets nobody but the receiver say that it was a timer of its own; an alarm looks like any signal then.
void send_signal_of(const SignalTimer& timer, const Task* receiver) {
  const long process = raw_syscall(SYS_getpid);
  const siginfo_t info = info_of(timer);
  if (receiver == nullptr) {
    if (raw_syscall(SYS_rt_sigqueueinfo, process, timer.signal, as_word(&info)) != 0)
      raw_syscall(SYS_kill, process, timer.signal);
  } else if (raw_syscall(SYS_rt_tgsigqueueinfo, process, receiver->tid, timer.signal,
                         as_word(&info)) != 0) {
    raw_syscall(SYS_tgkill, process, receiver->tid, timer.signal);
  }
}

}  // namespace heddle::controlled
