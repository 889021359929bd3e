// Reader-writer locks.
#include <pthread.h>

#include "runtime/controlled/forked_child.h"
#include "runtime/controlled/operations.h"
#include "runtime/free_engine.h"
#include "runtime/platform/export.h"
#include "runtime/platform/real.h"

using heddle::EventKind;
using namespace heddle::runtime;  // NOLINT: thin entry points
namespace controlled = heddle::controlled;

namespace {

using Lock = pthread_rwlock_t;

HEDDLE_REAL Real<int(Lock*, const pthread_rwlockattr_t*)> real_init{"pthread_rwlock_init"};
HEDDLE_REAL Real<int(Lock*)> real_destroy{"pthread_rwlock_destroy"};
HEDDLE_REAL Real<int(Lock*)> real_rdlock{"pthread_rwlock_rdlock"};
HEDDLE_REAL Real<int(Lock*)> real_tryrdlock{"pthread_rwlock_tryrdlock"};
HEDDLE_REAL Real<int(Lock*, const timespec*)> real_timedrdlock{"pthread_rwlock_timedrdlock"};
HEDDLE_REAL Real<int(Lock*, clockid_t, const timespec*)> real_clockrdlock{
    "pthread_rwlock_clockrdlock"};
HEDDLE_REAL Real<int(Lock*)> real_wrlock{"pthread_rwlock_wrlock"};
HEDDLE_REAL Real<int(Lock*)> real_trywrlock{"pthread_rwlock_trywrlock"};
HEDDLE_REAL Real<int(Lock*, const timespec*)> real_timedwrlock{"pthread_rwlock_timedwrlock"};
HEDDLE_REAL Real<int(Lock*, clockid_t, const timespec*)> real_clockwrlock{
    "pthread_rwlock_clockwrlock"};
HEDDLE_REAL Real<int(Lock*)> real_unlock{"pthread_rwlock_unlock"};

bool can_wait_on(clockid_t clock) { return clock == CLOCK_REALTIME || clock == CLOCK_MONOTONIC; }

int initialise(Lock* lock, const pthread_rwlockattr_t* attributes, void* caller) {
  return around({EventKind::rwlock_init, lock, caller},
                [&] { return real_init(lock, attributes); });
}
int destroy(Lock* lock, void* caller) {
  return around({EventKind::rwlock_destroy, lock, caller}, [&] { return real_destroy(lock); });
}
int rdlock(Lock* lock, void* caller) {
  if (under_control()) return controlled::rwlock_rdlock(lock, CLOCK_REALTIME, nullptr, caller);
  if (controlled::g_in_forked_child)
    controlled::before_rwlock_in_child(*lock, EventKind::rwlock_rdlock, caller);
  return around({EventKind::rwlock_rdlock, lock, caller}, [&] { return real_rdlock(lock); });
}
int tryrdlock(Lock* lock, void* caller) {
  if (under_control()) return controlled::rwlock_tryrdlock(lock, caller);
  return around({EventKind::rwlock_tryrdlock, lock, caller}, [&] { return real_tryrdlock(lock); });
}
int wrlock(Lock* lock, void* caller) {
  if (under_control()) return controlled::rwlock_wrlock(lock, CLOCK_REALTIME, nullptr, caller);
  if (controlled::g_in_forked_child)
    controlled::before_rwlock_in_child(*lock, EventKind::rwlock_wrlock, caller);
  return around({EventKind::rwlock_wrlock, lock, caller}, [&] { return real_wrlock(lock); });
}
int trywrlock(Lock* lock, void* caller) {
  if (under_control()) return controlled::rwlock_trywrlock(lock, caller);
  return around({EventKind::rwlock_trywrlock, lock, caller}, [&] { return real_trywrlock(lock); });
}
int unlock(Lock* lock, void* caller) {
  if (under_control()) return controlled::rwlock_unlock(lock, caller);
  return around({EventKind::rwlock_unlock, lock, caller}, [&] { return real_unlock(lock); });
}

}  // namespace

HEDDLE_EXPORT int pthread_rwlock_init(Lock* lock, const pthread_rwlockattr_t* attributes) {
  return initialise(lock, attributes, HEDDLE_CALLER);
}
HEDDLE_EXPORT int pthread_rwlock_destroy(Lock* lock) { return destroy(lock, HEDDLE_CALLER); }
HEDDLE_EXPORT int pthread_rwlock_rdlock(Lock* lock) { return rdlock(lock, HEDDLE_CALLER); }
HEDDLE_EXPORT int pthread_rwlock_tryrdlock(Lock* lock) { return tryrdlock(lock, HEDDLE_CALLER); }
HEDDLE_EXPORT int pthread_rwlock_wrlock(Lock* lock) { return wrlock(lock, HEDDLE_CALLER); }
HEDDLE_EXPORT int pthread_rwlock_trywrlock(Lock* lock) { return trywrlock(lock, HEDDLE_CALLER); }
HEDDLE_EXPORT int pthread_rwlock_unlock(Lock* lock) { return unlock(lock, HEDDLE_CALLER); }

HEDDLE_EXPORT int pthread_rwlock_timedrdlock(Lock* lock, const timespec* deadline) {
  if (under_control())
    return controlled::rwlock_rdlock(lock, CLOCK_REALTIME, deadline, HEDDLE_CALLER);
  return around({EventKind::rwlock_timedrdlock, lock, HEDDLE_CALLER}, [&] {
    return real_timedrdlock(lock, TamperedTime::until(CLOCK_REALTIME, deadline).get());
  });
}
HEDDLE_EXPORT int pthread_rwlock_clockrdlock(Lock* lock, clockid_t clock,
                                             const timespec* deadline) {
  if (can_wait_on(clock) && under_control())
    return controlled::rwlock_rdlock(lock, clock, deadline, HEDDLE_CALLER);
  return around({EventKind::rwlock_timedrdlock, lock, HEDDLE_CALLER}, [&] {
    return real_clockrdlock(lock, clock, TamperedTime::until(clock, deadline).get());
  });
}
HEDDLE_EXPORT int pthread_rwlock_timedwrlock(Lock* lock, const timespec* deadline) {
  if (under_control())
    return controlled::rwlock_wrlock(lock, CLOCK_REALTIME, deadline, HEDDLE_CALLER);
  return around({EventKind::rwlock_timedwrlock, lock, HEDDLE_CALLER}, [&] {
    return real_timedwrlock(lock, TamperedTime::until(CLOCK_REALTIME, deadline).get());
  });
}
HEDDLE_EXPORT int pthread_rwlock_clockwrlock(Lock* lock, clockid_t clock,
                                             const timespec* deadline) {
  if (can_wait_on(clock) && under_control())
    return controlled::rwlock_wrlock(lock, clock, deadline, HEDDLE_CALLER);
  return around({EventKind::rwlock_timedwrlock, lock, HEDDLE_CALLER}, [&] {
    return real_clockwrlock(lock, clock, TamperedTime::until(clock, deadline).get());
  });
}

// Old binaries call glibc's other names for the same functions.
HEDDLE_EXPORT int __pthread_rwlock_init(Lock* lock, const pthread_rwlockattr_t* attributes) {
  return initialise(lock, attributes, HEDDLE_CALLER);
}
HEDDLE_EXPORT int __pthread_rwlock_destroy(Lock* lock) { return destroy(lock, HEDDLE_CALLER); }
HEDDLE_EXPORT int __pthread_rwlock_rdlock(Lock* lock) { return rdlock(lock, HEDDLE_CALLER); }
HEDDLE_EXPORT int __pthread_rwlock_tryrdlock(Lock* lock) { return tryrdlock(lock, HEDDLE_CALLER); }
HEDDLE_EXPORT int __pthread_rwlock_wrlock(Lock* lock) { return wrlock(lock, HEDDLE_CALLER); }
HEDDLE_EXPORT int __pthread_rwlock_trywrlock(Lock* lock) { return trywrlock(lock, HEDDLE_CALLER); }
HEDDLE_EXPORT int __pthread_rwlock_unlock(Lock* lock) { return unlock(lock, HEDDLE_CALLER); }
