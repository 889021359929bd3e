// Timers. Those that end in a signal or a thread run in real time and stay libc's; the engine is told, because what their
// handlers do may wake a thread that nothing else would. Those that are descriptors run on virtual time in a controlled run.
#include <errno.h>
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

using namespace heddle::runtime;  // NOLINT: thin entry points
namespace engine = heddle::controlled;

namespace {

HEDDLE_REAL Real<int(int, const itimerval*, itimerval*)> real_setitimer{"setitimer"};
HEDDLE_REAL Real<unsigned(unsigned)> real_alarm{"alarm"};
HEDDLE_REAL Real<useconds_t(useconds_t, useconds_t)> real_ualarm{"ualarm"};
HEDDLE_REAL Real<int(timer_t, int, const itimerspec*, itimerspec*)> real_settime{"timer_settime"};
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

}  // namespace

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
  return real_set_descriptor(descriptor, flags, time, old);
}
HEDDLE_EXPORT int timerfd_gettime(int descriptor, itimerspec* time) noexcept {
  if (tells() && time != nullptr) {
    const int result = engine::ask_timer_descriptor(descriptor, time);
    if (result >= 0) return with_errno(result);
  }
  return real_ask_descriptor(descriptor, time);
}
