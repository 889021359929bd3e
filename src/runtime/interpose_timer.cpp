// Timers, which in a controlled run are on virtual time, whether they are descriptors, end in a signal or call a function. Those that
// count processor time, and what a forked child has, are the kernel's.
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

#include "runtime/blocking.h"
#include "runtime/controlled/clock.h"
#include "runtime/controlled/operations.h"
#include "runtime/controlled/signal_timers.h"
#include "runtime/controlled/timer_descriptors.h"
#include "runtime/controlled/timer_functions.h"
#include "runtime/free_engine.h"
#include "runtime/pinned_ids.h"
#include "runtime/platform/export.h"
#include "runtime/platform/real.h"
#include "runtime/platform/syscall.h"
#include "runtime/platform/text.h"

using namespace heddle::runtime;  // NOLINT: thin entry points
namespace engine = heddle::controlled;

namespace {

HEDDLE_REAL Real<int(int, const itimerval*, itimerval*)> real_setitimer{"setitimer"};
HEDDLE_REAL Real<int(int, itimerval*)> real_getitimer{"getitimer"};
HEDDLE_REAL Real<unsigned(unsigned)> real_alarm{"alarm"};
HEDDLE_REAL Real<useconds_t(useconds_t, useconds_t)> real_ualarm{"ualarm"};
HEDDLE_REAL Real<int(timer_t, int, const itimerspec*, itimerspec*)> real_settime{"timer_settime"};
HEDDLE_REAL Real<int(timer_t, itimerspec*)> real_gettime{"timer_gettime"};
HEDDLE_REAL Real<int(timer_t)> real_getoverrun{"timer_getoverrun"};
HEDDLE_REAL Real<int(clockid_t, sigevent*, timer_t*)> real_create{"timer_create"};
HEDDLE_REAL Real<int(timer_t)> real_delete{"timer_delete"};
HEDDLE_REAL Real<int(clockid_t, int)> real_create_descriptor{"timerfd_create"};
HEDDLE_REAL Real<int(int, int, const itimerspec*, itimerspec*)> real_set_descriptor{
    "timerfd_settime"};
HEDDLE_REAL Real<int(int, itimerspec*)> real_ask_descriptor{"timerfd_gettime"};

constexpr long kSecond = 1'000'000'000;

// Whoever has control alone may tell the engine.
bool tells() { return controlled() && self().has_control && !self().in_runtime; }

itimerspec in_nanoseconds(const itimerval& time) {
  const bool fits = time.it_value.tv_usec >= 0 && time.it_value.tv_usec < 1'000'000 &&
                    time.it_interval.tv_usec >= 0 && time.it_interval.tv_usec < 1'000'000;
  if (!fits) return {{0, -1}, {0, -1}};  // as little a time as what it was made of
  return {{time.it_interval.tv_sec, time.it_interval.tv_usec * 1000},
          {time.it_value.tv_sec, time.it_value.tv_usec * 1000}};
}

itimerval in_microseconds(const itimerspec& time) {
  return {{time.it_interval.tv_sec, time.it_interval.tv_nsec / 1000},
          {time.it_value.tv_sec, time.it_value.tv_nsec / 1000}};
}

// Whoever sets a timer or asks for what is left looks at the clock: it goes on, and who does so again and again polls.
bool looks_at_clock(void* caller) {
  if (!under_control()) return false;
  timespec now{};
  return engine::clock_now(CLOCK_MONOTONIC, &now, caller);
}

// What was done before a timer was set is known to its handler.
void show_set(int signal, void* caller) {
  if (signal == 0) return;
  show_released(KernelObject::signal, static_cast<std::uint64_t>(signal), caller);
  show_released(KernelObject::any_signal, 0, caller);
}

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

// libc's threads for functions are not ours to control: for libc there is no function.
int create_virtual(clockid_t clock, sigevent* event, timer_t* timer, void* caller) {
  const bool calls = event != nullptr && event->sigev_notify == SIGEV_THREAD;
  sigevent nothing{};
  nothing.sigev_notify = SIGEV_NONE;
  const int result = real_create(clock, calls ? &nothing : event, timer);
  if (result != 0) return result;
  engine::adopt_signal_timer(*timer, clock, event);
  if (calls) {
    std::size_t stack_size = 0;
    if (event->sigev_notify_attributes != nullptr)
      pthread_attr_getstacksize(event->sigev_notify_attributes, &stack_size);
    engine::provide_caller(stack_size, caller);
  }
  return 0;
}

}  // namespace

HEDDLE_EXPORT int setitimer(__itimer_which_t which, const itimerval* timer,
                            itimerval* old) noexcept {
  if (which != ITIMER_REAL || !looks_at_clock(HEDDLE_CALLER))
    return real_setitimer(which, timer, old);
  itimerspec before{};
  const int error =
      engine::set_alarm(timer == nullptr ? itimerspec{} : in_nanoseconds(*timer), &before);
  if (error == 0) {
    if (old != nullptr) *old = in_microseconds(before);
    show_set(SIGALRM, HEDDLE_CALLER);
  }
  return with_errno(error);
}
HEDDLE_EXPORT int getitimer(__itimer_which_t which, itimerval* timer) noexcept {
  if (which != ITIMER_REAL || timer == nullptr || !looks_at_clock(HEDDLE_CALLER))
    return real_getitimer(which, timer);
  *timer = in_microseconds(engine::ask_alarm());
  return 0;
}
HEDDLE_EXPORT unsigned alarm(unsigned seconds) noexcept {
  if (!looks_at_clock(HEDDLE_CALLER)) return real_alarm(seconds);
  itimerspec before{};
  engine::set_alarm({{}, {static_cast<time_t>(seconds), 0}}, &before);
  show_set(SIGALRM, HEDDLE_CALLER);
  // As the kernel rounds: to the nearest, but what is left is not nothing.
  const timespec& left = before.it_value;
  const bool up = left.tv_nsec >= kSecond / 2 || (left.tv_sec == 0 && left.tv_nsec != 0);
  return static_cast<unsigned>(left.tv_sec) + (up ? 1 : 0);
}
HEDDLE_EXPORT useconds_t ualarm(useconds_t first, useconds_t interval) noexcept {
  if (!under_control()) return real_ualarm(first, interval);
  // The fields are libc's: a second and more is an error.
  const itimerval time{{0, static_cast<suseconds_t>(interval)},
                       {0, static_cast<suseconds_t>(first)}};
  itimerval before{};
  if (setitimer(ITIMER_REAL, &time, &before) != 0) return static_cast<useconds_t>(-1);
  return static_cast<useconds_t>(before.it_value.tv_sec * 1'000'000 + before.it_value.tv_usec);
}

HEDDLE_EXPORT int timer_create(clockid_t clock, sigevent* event, timer_t* timer) noexcept {
  const bool by_program = under_control();
  sigevent to_thread;
  if (event != nullptr && event->sigev_notify == SIGEV_THREAD_ID) {
    to_thread = *event;
    to_thread._sigev_un._tid = real_id(event->_sigev_un._tid);
    event = &to_thread;
  }
  if (by_program && engine::takes_signal_timer(clock, event))
    return create_virtual(clock, event, timer, HEDDLE_CALLER);
  const int result = real_create(clock, event, timer);
  if (result == 0 && by_program) engine::note_unseen_timer();
  if (result == 0 && engine::g_on_child_clock) {
    const unsigned place = __atomic_fetch_add(&g_child_timer_count, 1, __ATOMIC_ACQ_REL);
    g_child_timers[place % kRememberedTimers] = {*timer, clock};
  }
  return result;
}
HEDDLE_EXPORT int timer_settime(timer_t timer, int flags, const itimerspec* time,
                                itimerspec* old) noexcept {
  if (time != nullptr && looks_at_clock(HEDDLE_CALLER)) {
    const int result = engine::set_signal_timer(timer, flags, *time, old);
    if (result == 0) show_set(engine::signal_of_timer(timer), HEDDLE_CALLER);
    if (result >= 0) return with_errno(result);
  }
  if (engine::g_on_child_clock && (flags & TIMER_ABSTIME) != 0 && time != nullptr) {
    const itimerspec told = for_kernel(clock_of(timer), *time);
    return real_settime(timer, flags, &told, old);
  }
  return real_settime(timer, flags, time, old);
}
HEDDLE_EXPORT int timer_gettime(timer_t timer, itimerspec* time) noexcept {
  if (time != nullptr && looks_at_clock(HEDDLE_CALLER)) {
    const int result = engine::ask_signal_timer(timer, time);
    if (result >= 0) return with_errno(result);
  }
  return real_gettime(timer, time);
}
HEDDLE_EXPORT int timer_getoverrun(timer_t timer) noexcept {
  const int overrun = under_control() ? engine::signal_timer_overrun(timer) : -1;
  return overrun >= 0 ? overrun : real_getoverrun(timer);
}
HEDDLE_EXPORT int timer_delete(timer_t timer) noexcept {
  if (under_control()) engine::forget_signal_timer(timer);
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
  if (time != nullptr && looks_at_clock(HEDDLE_CALLER)) {
    const int result = engine::ask_timer_descriptor(descriptor, time);
    if (result >= 0) return with_errno(result);
  }
  return real_ask_descriptor(descriptor, time);
}
