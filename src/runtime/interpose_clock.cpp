// Reading the clock: virtual in a controlled run. clock(), times() and getrusage() measure work done, not time passed,
// and stay real.
#include <errno.h>
#include <sys/time.h>
#include <sys/timeb.h>
#include <time.h>

#include "runtime/controlled/clock.h"
#include "runtime/controlled/operations.h"
#include "runtime/entry.h"
#include "runtime/free_engine.h"
#include "runtime/platform/export.h"
#include "runtime/platform/real.h"

namespace heddle::runtime {

namespace {
HEDDLE_REAL Real<int(clockid_t, timespec*)> real_clock_gettime{"clock_gettime"};
}  // namespace

int entry::clock_read(clockid_t clock, timespec* now, void* caller) {
  if (under_control() && controlled::clock_now(clock, now, caller)) return 0;
  if (before_controlled_run() && controlled::clock_before_run(clock, now)) return 0;
  if (controlled::g_on_child_clock && controlled::child_clock_now(clock, now)) return 0;
  return around({EventKind::clock_read, nullptr, caller, static_cast<std::uint64_t>(clock)},
                [&] { return real_clock_gettime(clock, now); });
}

}  // namespace heddle::runtime

using heddle::runtime::entry::clock_read;

HEDDLE_EXPORT int clock_gettime(clockid_t clock, timespec* now) {
  return clock_read(clock, now, HEDDLE_CALLER);
}

HEDDLE_EXPORT int gettimeofday(timeval* now, void* zone) {
  if (zone != nullptr) *static_cast<struct timezone*>(zone) = {};  // as glibc does
  timespec read{};
  const int result = clock_read(CLOCK_REALTIME, &read, HEDDLE_CALLER);
  asm("" : "+r"(now));  // the header says that it is never null, the kernel takes it
  if (result == 0 && now != nullptr) *now = {read.tv_sec, read.tv_nsec / 1000};
  return result;
}

HEDDLE_EXPORT time_t time(time_t* result) {
  timespec now{};
  // The coarse clock is the one time() is defined by: it never runs ahead of the file system's stamps. There is only one
  // virtual clock.
  const clockid_t clock = heddle::runtime::controlled() ? CLOCK_REALTIME : CLOCK_REALTIME_COARSE;
  if (clock_read(clock, &now, HEDDLE_CALLER) != 0) return -1;
  if (result != nullptr) *result = now.tv_sec;
  return now.tv_sec;
}

HEDDLE_EXPORT int timespec_get(timespec* now, int base) {
  if (base != TIME_UTC) return 0;
  return clock_read(CLOCK_REALTIME, now, HEDDLE_CALLER) == 0 ? base : 0;
}

HEDDLE_EXPORT int ftime(timeb* result) {
  timespec now{};
  if (clock_read(CLOCK_REALTIME, &now, HEDDLE_CALLER) != 0) return -1;
  *result = {};
  result->time = now.tv_sec;
  result->millitm = static_cast<unsigned short>(now.tv_nsec / 1'000'000);
  return 0;
}
