// Condition variables. Waits are cancellation points: in a controlled run the entry asks before it waits, with the mutex
// held as POSIX has it; the engine wakes a waiter that is cancelled.
#include <pthread.h>

#include <cerrno>

#include "runtime/cond_clock.h"
#include "runtime/controlled/operations.h"
#include "runtime/entry.h"
#include "runtime/free_engine.h"
#include "runtime/platform/export.h"
#include "runtime/platform/real.h"

namespace heddle::runtime {

namespace {

using Cond = pthread_cond_t;
using Mutex = pthread_mutex_t;

HEDDLE_REAL Real<int(Cond*, const pthread_condattr_t*)> real_init{"pthread_cond_init",
                                                                  kCondVersion};
HEDDLE_REAL Real<int(Cond*)> real_destroy{"pthread_cond_destroy", kCondVersion};
HEDDLE_REAL Real<int(Cond*, Mutex*)> real_wait{"pthread_cond_wait", kCondVersion};
HEDDLE_REAL Real<int(Cond*, Mutex*, const timespec*)> real_timedwait{"pthread_cond_timedwait",
                                                                     kCondVersion};
HEDDLE_REAL Real<int(Cond*, Mutex*, clockid_t, const timespec*)> real_clockwait{
    "pthread_cond_clockwait"};
HEDDLE_REAL Real<int(Cond*)> real_signal{"pthread_cond_signal", kCondVersion};
HEDDLE_REAL Real<int(Cond*)> real_broadcast{"pthread_cond_broadcast", kCondVersion};

Occurrence wait_of(EventKind kind, Cond* cond, Mutex* mutex, void* caller) {
  return {kind, cond, caller, reinterpret_cast<std::uint64_t>(mutex)};
}

void wait_is_cancelled(void* occurrence) {
  free_event(*static_cast<const Occurrence*>(occurrence), EventPhase::after, ECANCELED);
}

// A thread that is cancelled in the wait has the mutex again when its cleanup handlers run, ours first.
template <class Call>
int free_wait(Occurrence occurrence, Call&& call) {
  if (controlled() || inactive() || !free_engine_wants(occurrence.kind)) return call();
  free_event(occurrence, EventPhase::before);
  int result = 0;
  pthread_cleanup_push(wait_is_cancelled, &occurrence);
  result = call();
  pthread_cleanup_pop(0);
  free_event(occurrence, EventPhase::after, static_cast<std::int16_t>(result));
  return result;
}

}  // namespace

namespace entry {

int cond_wait(Cond* cond, Mutex* mutex, void* caller) {
  if (under_control()) {
    return controlled::cond_wait(cond, mutex, cond_clock(cond), nullptr, caller);
  }
  return free_wait(wait_of(EventKind::cond_wait, cond, mutex, caller),
                   [&] { return real_wait(cond, mutex); });
}

int cond_timedwait(Cond* cond, Mutex* mutex, const timespec* deadline, void* caller) {
  if (under_control()) {
    return controlled::cond_wait(cond, mutex, cond_clock(cond), deadline, caller);
  }
  return free_wait(wait_of(EventKind::cond_timedwait, cond, mutex, caller), [&] {
    const TamperedTime time = TamperedTime::until(cond_clock(cond), deadline);
    return real_timedwait(cond, mutex, time.get());
  });
}

int cond_signal(Cond* cond, void* caller) {
  if (under_control()) return controlled::cond_signal(cond, caller);
  return around({EventKind::cond_signal, cond, caller}, [&] { return real_signal(cond); });
}

int cond_broadcast(Cond* cond, void* caller) {
  if (under_control()) return controlled::cond_broadcast(cond, caller);
  return around({EventKind::cond_broadcast, cond, caller}, [&] { return real_broadcast(cond); });
}

int cond_destroy(Cond* cond, void* caller) {
  if (under_control()) return controlled::cond_destroy(cond, caller);
  return around({EventKind::cond_destroy, cond, caller}, [&] { return real_destroy(cond); });
}

}  // namespace entry

}  // namespace heddle::runtime

using heddle::EventKind;
using namespace heddle::runtime;  // NOLINT: thin entry points from here on

HEDDLE_EXPORT int pthread_cond_init(pthread_cond_t* cond, const pthread_condattr_t* attributes) {
  return around({EventKind::cond_init, cond, HEDDLE_CALLER},
                [&] { return real_init(cond, attributes); });
}
HEDDLE_EXPORT int pthread_cond_destroy(pthread_cond_t* cond) {
  return entry::cond_destroy(cond, HEDDLE_CALLER);
}
HEDDLE_EXPORT int pthread_cond_wait(pthread_cond_t* cond, pthread_mutex_t* mutex) {
  return entry::cond_wait(cond, mutex, HEDDLE_CALLER);
}
HEDDLE_EXPORT int pthread_cond_timedwait(pthread_cond_t* cond, pthread_mutex_t* mutex,
                                         const timespec* deadline) {
  return entry::cond_timedwait(cond, mutex, deadline, HEDDLE_CALLER);
}
HEDDLE_EXPORT int pthread_cond_clockwait(pthread_cond_t* cond, pthread_mutex_t* mutex,
                                         clockid_t clock, const timespec* deadline) {
  const bool known = clock == CLOCK_REALTIME || clock == CLOCK_MONOTONIC;
  if (known && under_control()) {
    return heddle::controlled::cond_wait(cond, mutex, clock, deadline, HEDDLE_CALLER);
  }
  return free_wait(wait_of(EventKind::cond_timedwait, cond, mutex, HEDDLE_CALLER), [&] {
    const TamperedTime time = TamperedTime::until(clock, deadline);
    return real_clockwait(cond, mutex, clock, time.get());
  });
}
HEDDLE_EXPORT int pthread_cond_signal(pthread_cond_t* cond) {
  return entry::cond_signal(cond, HEDDLE_CALLER);
}
HEDDLE_EXPORT int pthread_cond_broadcast(pthread_cond_t* cond) {
  return entry::cond_broadcast(cond, HEDDLE_CALLER);
}
