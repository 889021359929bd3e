// Sleeping and yielding. In a controlled run time is virtual: the engine decides when the sleeper goes on.
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>

#include "runtime/controlled/clock.h"
#include "runtime/controlled/operations.h"
#include "runtime/entry.h"
#include "runtime/free_engine.h"
#include "runtime/platform/export.h"
#include "runtime/platform/real.h"

namespace heddle::runtime {

namespace {

constexpr std::int64_t kNanosecondsPerSecond = 1'000'000'000;

HEDDLE_REAL Real<int(clockid_t, int, const timespec*, timespec*)> real_clock_nanosleep{
    "clock_nanosleep"};
HEDDLE_REAL Real<int()> real_yield{"sched_yield"};

bool is_valid(const timespec* time) {
  return time != nullptr && time->tv_sec >= 0 && time->tv_nsec >= 0 &&
         time->tv_nsec < kNanosecondsPerSecond;
}

std::uint64_t nanoseconds(const timespec* time) {
  if (time == nullptr) return 0;
  return static_cast<std::uint64_t>(time->tv_sec) * kNanosecondsPerSecond +
         static_cast<std::uint64_t>(time->tv_nsec);
}

}  // namespace

int entry::sleep(clockid_t clock, int flags, const timespec* request, timespec* remaining,
                 void* caller) {
  // What the kernel would refuse goes to the kernel, which knows how.
  if (is_valid(request) && controlled::is_virtual(clock) && under_control())
    return controlled::sleep(clock, flags, request, remaining, caller);
  if (is_valid(request) && controlled::is_virtual(clock) && before_controlled_run()) {
    controlled::sleep_before_run(clock, flags, *request);
    return 0;
  }
  return around({EventKind::sleep, nullptr, caller, nanoseconds(request)}, [&] {
    const TamperedTime time = (flags & TIMER_ABSTIME) != 0 ? TamperedTime::until(clock, request)
                                                           : TamperedTime::lasting(request);
    return real_clock_nanosleep(clock, flags, time.get(), remaining);
  });
}

int entry::yield(void* caller) {
  if (under_control()) {
    controlled::yield(caller);
    return 0;
  }
  return around({EventKind::yield, nullptr, caller}, [] { return real_yield(); });
}

namespace {

// nanosleep reports through errno, unlike clock_nanosleep.
int nanosleep_with_errno(const timespec* request, timespec* remaining, void* caller) {
  const int error = entry::sleep(CLOCK_REALTIME, 0, request, remaining, caller);
  if (error == 0) return 0;
  errno = error;
  return -1;
}

}  // namespace

}  // namespace heddle::runtime

using namespace heddle::runtime;  // NOLINT: thin entry points from here on

HEDDLE_EXPORT int clock_nanosleep(clockid_t clock, int flags, const timespec* request,
                                  timespec* remaining) {
  return entry::sleep(clock, flags, request, remaining, HEDDLE_CALLER);
}
HEDDLE_EXPORT int nanosleep(const timespec* request, timespec* remaining) {
  return nanosleep_with_errno(request, remaining, HEDDLE_CALLER);
}
HEDDLE_EXPORT int __nanosleep(const timespec* request, timespec* remaining) {
  return nanosleep_with_errno(request, remaining, HEDDLE_CALLER);
}
HEDDLE_EXPORT unsigned sleep(unsigned seconds) {
  const timespec request{static_cast<time_t>(seconds), 0};
  timespec remaining{};
  const int error = entry::sleep(CLOCK_REALTIME, 0, &request, &remaining, HEDDLE_CALLER);
  if (error == 0) return 0;
  errno = error;
  return static_cast<unsigned>(remaining.tv_sec);
}
HEDDLE_EXPORT int usleep(useconds_t microseconds) {
  const timespec request{static_cast<time_t>(microseconds / 1'000'000),
                         static_cast<long>(microseconds % 1'000'000) * 1000};
  return nanosleep_with_errno(&request, nullptr, HEDDLE_CALLER);
}
HEDDLE_EXPORT int thrd_sleep(const timespec* request, timespec* remaining) {
  const int error = entry::sleep(CLOCK_REALTIME, 0, request, remaining, HEDDLE_CALLER);
  if (error == 0) return 0;
  return error == EINTR ? -1 : -2;
}

HEDDLE_EXPORT int sched_yield() { return entry::yield(HEDDLE_CALLER); }
HEDDLE_EXPORT int __sched_yield() { return entry::yield(HEDDLE_CALLER); }
// The header redirects this name to sched_yield; binaries from before glibc 2.34 still ask for it.
HEDDLE_EXPORT int heddle_pthread_yield() __asm__("pthread_yield");
int heddle_pthread_yield() { return entry::yield(HEDDLE_CALLER); }
HEDDLE_EXPORT void thrd_yield() { entry::yield(HEDDLE_CALLER); }
