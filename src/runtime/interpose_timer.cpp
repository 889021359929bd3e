// Timers of the kernel's that end in a signal or a thread. They run in real time and stay libc's; the engine is told, because
// what their handlers do may wake a thread that nothing else would.
#include <signal.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include "runtime/controlled/operations.h"
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

// Whoever has control alone may tell the engine.
bool tells() { return controlled() && self().has_control && !self().in_runtime; }

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
