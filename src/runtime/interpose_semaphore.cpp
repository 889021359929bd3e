// POSIX semaphores. They report through errno, and their waits are cancellation points.
#include <pthread.h>
#include <semaphore.h>

#include <cstdarg>

#include "runtime/controlled/operations.h"
#include "runtime/free_engine.h"
#include "runtime/platform/export.h"
#include "runtime/platform/real.h"

using heddle::EventKind;
using namespace heddle::runtime;  // NOLINT: thin entry points
namespace controlled = heddle::controlled;

namespace {

HEDDLE_REAL Real<int(sem_t*, int, unsigned)> real_init{"sem_init"};
HEDDLE_REAL Real<int(sem_t*)> real_destroy{"sem_destroy"};
HEDDLE_REAL Real<sem_t*(const char*, int, mode_t, unsigned)> real_open{"sem_open"};
HEDDLE_REAL Real<int(sem_t*)> real_close{"sem_close"};
HEDDLE_REAL Real<int(sem_t*)> real_wait{"sem_wait"};
HEDDLE_REAL Real<int(sem_t*)> real_trywait{"sem_trywait"};
HEDDLE_REAL Real<int(sem_t*, const timespec*)> real_timedwait{"sem_timedwait"};
HEDDLE_REAL Real<int(sem_t*, clockid_t, const timespec*)> real_clockwait{"sem_clockwait"};
HEDDLE_REAL Real<int(sem_t*)> real_post{"sem_post"};

}  // namespace

HEDDLE_EXPORT int sem_init(sem_t* semaphore, int shared, unsigned value) {
  return around({EventKind::sem_init, semaphore, HEDDLE_CALLER, value},
                [&] { return real_init(semaphore, shared, value); });
}
HEDDLE_EXPORT int sem_destroy(sem_t* semaphore) {
  return around({EventKind::sem_destroy, semaphore, HEDDLE_CALLER},
                [&] { return real_destroy(semaphore); });
}
HEDDLE_EXPORT sem_t* sem_open(const char* name, int flags, ...) {
  va_list rest;
  va_start(rest, flags);
  const auto mode =
      static_cast<mode_t>(va_arg(rest, int));  // garbage unless O_CREAT, and then unused
  const unsigned value = va_arg(rest, unsigned);
  va_end(rest);
  sem_t* semaphore = SEM_FAILED;
  // The object is known only afterwards, so what is disturbed here has none.
  around({EventKind::sem_init, nullptr, HEDDLE_CALLER}, [&] {
    semaphore = real_open(name, flags, mode, value);
    return 0;
  });
  return semaphore;
}
HEDDLE_EXPORT int sem_close(sem_t* semaphore) {
  return around({EventKind::sem_destroy, semaphore, HEDDLE_CALLER},
                [&] { return real_close(semaphore); });
}
HEDDLE_EXPORT int sem_wait(sem_t* semaphore) {
  if (under_control()) {
    return controlled::sem_wait(semaphore, CLOCK_REALTIME, nullptr, HEDDLE_CALLER);
  }
  return around({EventKind::sem_wait, semaphore, HEDDLE_CALLER},
                [&] { return real_wait(semaphore); });
}
HEDDLE_EXPORT int sem_trywait(sem_t* semaphore) {
  if (under_control()) return controlled::sem_trywait(semaphore, HEDDLE_CALLER);
  return around({EventKind::sem_trywait, semaphore, HEDDLE_CALLER},
                [&] { return real_trywait(semaphore); });
}
HEDDLE_EXPORT int sem_timedwait(sem_t* semaphore, const timespec* deadline) {
  if (under_control()) {
    return controlled::sem_wait(semaphore, CLOCK_REALTIME, deadline, HEDDLE_CALLER);
  }
  return around({EventKind::sem_timedwait, semaphore, HEDDLE_CALLER}, [&] {
    return real_timedwait(semaphore, TamperedTime::until(CLOCK_REALTIME, deadline).get());
  });
}
HEDDLE_EXPORT int sem_clockwait(sem_t* semaphore, clockid_t clock, const timespec* deadline) {
  const bool known = clock == CLOCK_REALTIME || clock == CLOCK_MONOTONIC;
  if (known && under_control()) {
    return controlled::sem_wait(semaphore, clock, deadline, HEDDLE_CALLER);
  }
  return around({EventKind::sem_timedwait, semaphore, HEDDLE_CALLER}, [&] {
    return real_clockwait(semaphore, clock, TamperedTime::until(clock, deadline).get());
  });
}
HEDDLE_EXPORT int sem_post(sem_t* semaphore) {
  if (under_control()) return controlled::sem_post(semaphore, HEDDLE_CALLER);
  return around({EventKind::sem_post, semaphore, HEDDLE_CALLER},
                [&] { return real_post(semaphore); });
}
