// Timers. Those that end in a signal or a thread run in real time and stay libc's; the engine is told, because what their
// handlers do may wake a thread that nothing else would. Those that are descriptors run on virtual time in a controlled run.
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

#include "runtime/controlled/clock.h"
#include "runtime/controlled/operations.h"
#include "runtime/controlled/timer_descriptors.h"
#include "runtime/free_engine.h"
#include "runtime/platform/export.h"
#include "runtime/platform/real.h"
#include "runtime/platform/syscall.h"
#include "runtime/platform/text.h"

using namespace heddle::runtime;  // NOLINT: thin entry points
namespace engine = heddle::controlled;

namespace {

HEDDLE_REAL Real<int(int, const itimerval*, itimerval*)> real_setitimer{"setitimer"};
HEDDLE_REAL Real<unsigned(unsigned)> real_alarm{"alarm"};
HEDDLE_REAL Real<useconds_t(useconds_t, useconds_t)> real_ualarm{"ualarm"};
HEDDLE_REAL Real<int(timer_t, int, const itimerspec*, itimerspec*)> real_settime{"timer_settime"};
HEDDLE_REAL Real<int(clockid_t, sigevent*, timer_t*)> real_create{"timer_create"};
HEDDLE_REAL Real<int(timer_t)> real_delete{"timer_delete"};
HEDDLE_REAL Real<int(clockid_t, int)> real_create_descriptor{"timerfd_create"};
HEDDLE_REAL Real<int(int, int, const itimerspec*, itimerspec*)> real_set_descriptor{
    "timerfd_settime"};
HEDDLE_REAL Real<int(int, itimerspec*)> real_ask_descriptor{"timerfd_gettime"};

// Whoever has control alone may tell the engine.
bool tells() { return controlled() && self().has_control && !self().in_runtime; }

int with_errno(int error) {
  if (error == 0) return 0;
  errno = error;
  return -1;
}

// Which clocks the timers of a forked child run on: no call tells. The latest ones; a number that is given again is found first.
constexpr unsigned kRememberedTimers = 64;
struct ChildTimer {
  timer_t timer;
  clockid_t clock;
};
ChildTimer g_child_timers[kRememberedTimers];
unsigned g_child_timer_count;

clockid_t clock_of(timer_t timer) {
  const unsigned count = __atomic_load_n(&g_child_timer_count, __ATOMIC_ACQUIRE);
  for (unsigned back = 1; back <= count && back <= kRememberedTimers; ++back) {
    const ChildTimer& known = g_child_timers[(count - back) % kRememberedTimers];
    if (known.timer == timer) return known.clock;
  }
  return -1;
}

clockid_t clock_of_descriptor(int descriptor) {
  char path[64];
  TextBuilder(path, sizeof path)
      .add("/proc/self/fdinfo/")
      .add(static_cast<std::uint64_t>(descriptor));
  const long file = raw_syscall(SYS_open, as_word(path), O_RDONLY | O_CLOEXEC);
  if (file < 0) return -1;
  char text[512];
  const long size = raw_syscall(SYS_read, file, as_word(text), sizeof text - 1);
  raw_syscall(SYS_close, file);
  if (size <= 0) return -1;
  text[size] = '\0';
  const char* at = find_text(text, "clockid: ");
  if (at == nullptr) return -1;
  at += text_length("clockid: ");
  return static_cast<clockid_t>(take_number(at));
}

// In a forked child an absolute time is one of its own clock. One that is zero stops the timer.
itimerspec for_kernel(clockid_t clock, const itimerspec& asked) {
  itimerspec told = asked;
  const bool stops = asked.it_value.tv_sec == 0 && asked.it_value.tv_nsec == 0;
  if (!stops) engine::child_deadline(clock, &asked.it_value, &told.it_value);
  return told;
}

}  // namespace

HEDDLE_EXPORT int timer_create(clockid_t clock, sigevent* event, timer_t* timer) noexcept {
  const int result = real_create(clock, event, timer);
  if (result == 0 && engine::g_on_child_clock) {
    const unsigned place = __atomic_fetch_add(&g_child_timer_count, 1, __ATOMIC_ACQ_REL);
    g_child_timers[place % kRememberedTimers] = {*timer, clock};
  }
  return result;
}
HEDDLE_EXPORT int setitimer(__itimer_which_t which, const itimerval* timer,
                            itimerval* old) noexcept {
  if (tells()) engine::note_alarm();
  return real_setitimer(which, timer, old);
}
HEDDLE_EXPORT unsigned alarm(unsigned seconds) noexcept {
  if (tells()) engine::note_alarm();
  return real_alarm(seconds);
}
HEDDLE_EXPORT useconds_t ualarm(useconds_t first, useconds_t interval) noexcept {
  if (tells()) engine::note_alarm();
  return real_ualarm(first, interval);
}
HEDDLE_EXPORT int timer_settime(timer_t timer, int flags, const itimerspec* time,
                                itimerspec* old) noexcept {
  if (tells()) engine::note_timer(timer);
  if (engine::g_on_child_clock && (flags & TIMER_ABSTIME) != 0 && time != nullptr) {
    const itimerspec told = for_kernel(clock_of(timer), *time);
    return real_settime(timer, flags, &told, old);
  }
  return real_settime(timer, flags, time, old);
}
HEDDLE_EXPORT int timer_delete(timer_t timer) noexcept {
  if (tells()) engine::forget_timer(timer);
  return real_delete(timer);
}

HEDDLE_EXPORT int timerfd_create(clockid_t clock, int flags) noexcept {
  const int descriptor = real_create_descriptor(clock, flags);
  if (descriptor >= 0 && tells()) engine::adopt_timer_descriptor(descriptor, clock, flags);
  return descriptor;
}
HEDDLE_EXPORT int timerfd_settime(int descriptor, int flags, const itimerspec* time,
                                  itimerspec* old) noexcept {
  if (tells() && time != nullptr) {
    const int result = engine::set_timer_descriptor(descriptor, flags, *time, old);
    if (result >= 0) return with_errno(result);
  }
  if (engine::g_on_child_clock && (flags & TFD_TIMER_ABSTIME) != 0 && time != nullptr) {
    const itimerspec told = for_kernel(clock_of_descriptor(descriptor), *time);
    return real_set_descriptor(descriptor, flags, &told, old);
  }
  return real_set_descriptor(descriptor, flags, time, old);
}
HEDDLE_EXPORT int timerfd_gettime(int descriptor, itimerspec* time) noexcept {
  if (tells() && time != nullptr) {
    const int result = engine::ask_timer_descriptor(descriptor, time);
    if (result >= 0) return with_errno(result);
  }
  return real_ask_descriptor(descriptor, time);
}
