// pthread mutexes of every kind. Report, ask, forward: a mutex's state is libc's own, in both engines.
#include <pthread.h>

#include "runtime/controlled/forked_child.h"
#include "runtime/controlled/operations.h"
#include "runtime/entry.h"
#include "runtime/free_detect.h"
#include "runtime/free_engine.h"
#include "runtime/mutex_kind.h"
#include "runtime/platform/export.h"
#include "runtime/platform/real.h"

namespace heddle::runtime {

namespace {

HEDDLE_REAL Real<int(pthread_mutex_t*, const pthread_mutexattr_t*)> real_init{"pthread_mutex_init"};
HEDDLE_REAL Real<int(pthread_mutex_t*)> real_destroy{"pthread_mutex_destroy"};
HEDDLE_REAL Real<int(pthread_mutex_t*)> real_lock{"pthread_mutex_lock"};
HEDDLE_REAL Real<int(pthread_mutex_t*)> real_trylock{"pthread_mutex_trylock"};
HEDDLE_REAL Real<int(pthread_mutex_t*, const timespec*)> real_timedlock{"pthread_mutex_timedlock"};
HEDDLE_REAL Real<int(pthread_mutex_t*, clockid_t, const timespec*)> real_clocklock{
    "pthread_mutex_clocklock"};
HEDDLE_REAL Real<int(pthread_mutex_t*)> real_unlock{"pthread_mutex_unlock"};

// What is done under a mutex mostly takes less time than going to sleep and being woken, and detection makes threads meet more
// often. So it is tried for a little while, less and less often: who holds it can give it back and take it again meanwhile,
// with all that it needs in its own cache.
int lock_patiently(pthread_mutex_t* mutex) {
  constexpr unsigned kMostPauses = 256;
  if (is_plain(*mutex)) {
    for (unsigned pauses = 1; pauses <= kMostPauses; pauses *= 2) {
      if (__atomic_load_n(&mutex->__data.__lock, __ATOMIC_RELAXED) == 0 && real_trylock(mutex) == 0)
        return 0;
      for (unsigned i = 0; i < pauses; ++i) __builtin_ia32_pause();
    }
  }
  return real_lock(mutex);
}

}  // namespace

namespace entry {

int mutex_lock(pthread_mutex_t* mutex, void* caller) {
  if (under_control()) return controlled::mutex_lock(mutex, caller);
  if (controlled::g_in_forked_child) controlled::before_mutex_in_child(*mutex, caller);
  if (ThreadState& thread = current_thread(); detects_alone(thread)) {
    const int result = lock_patiently(mutex);
    if (result != 0 || !free_detect_mutex_taken(thread, *mutex, caller)) {
      count_alone(thread);
      free_event({EventKind::mutex_lock, mutex, caller}, EventPhase::after,
                 static_cast<std::int16_t>(result));
    }
    return result;
  }
  return around({EventKind::mutex_lock, mutex, caller}, [&] { return real_lock(mutex); });
}

int mutex_trylock(pthread_mutex_t* mutex, void* caller) {
  if (under_control()) return controlled::mutex_trylock(mutex, caller);
  return around({EventKind::mutex_trylock, mutex, caller}, [&] { return real_trylock(mutex); });
}

int mutex_timedlock(pthread_mutex_t* mutex, clockid_t clock, const timespec* deadline,
                    void* caller) {
  if (under_control()) return controlled::mutex_timedlock(mutex, clock, deadline, caller);
  return around({EventKind::mutex_timedlock, mutex, caller}, [&] {
    const TamperedTime time = TamperedTime::until(clock, deadline);
    // clocklock is young (glibc 2.30) and refuses the same clocks we would.
    return clock == CLOCK_REALTIME ? real_timedlock(mutex, time.get())
                                   : real_clocklock(mutex, clock, time.get());
  });
}

int mutex_unlock(pthread_mutex_t* mutex, void* caller) {
  if (under_control()) return controlled::mutex_unlock(mutex, caller);
  if (ThreadState& thread = current_thread(); detects_alone(thread)) {
    if (free_detect_mutex_given(thread, *mutex)) return real_unlock(mutex);
  }
  return around({EventKind::mutex_unlock, mutex, caller}, [&] { return real_unlock(mutex); });
}

int mutex_destroy(pthread_mutex_t* mutex, void* caller) {
  if (under_control()) return controlled::mutex_destroy(mutex, caller);
  return around({EventKind::mutex_destroy, mutex, caller}, [&] { return real_destroy(mutex); });
}

}  // namespace entry

}  // namespace heddle::runtime

using heddle::EventKind;
using namespace heddle::runtime;  // NOLINT: thin entry points from here on

HEDDLE_EXPORT int pthread_mutex_init(pthread_mutex_t* mutex,
                                     const pthread_mutexattr_t* attributes) {
  return around({EventKind::mutex_init, mutex, HEDDLE_CALLER},
                [&] { return real_init(mutex, attributes); });
}
HEDDLE_EXPORT int pthread_mutex_destroy(pthread_mutex_t* mutex) {
  return entry::mutex_destroy(mutex, HEDDLE_CALLER);
}
HEDDLE_EXPORT int pthread_mutex_lock(pthread_mutex_t* mutex) {
  return entry::mutex_lock(mutex, HEDDLE_CALLER);
}
HEDDLE_EXPORT int pthread_mutex_trylock(pthread_mutex_t* mutex) {
  return entry::mutex_trylock(mutex, HEDDLE_CALLER);
}
HEDDLE_EXPORT int pthread_mutex_timedlock(pthread_mutex_t* mutex, const timespec* deadline) {
  return entry::mutex_timedlock(mutex, CLOCK_REALTIME, deadline, HEDDLE_CALLER);
}
HEDDLE_EXPORT int pthread_mutex_clocklock(pthread_mutex_t* mutex, clockid_t clock,
                                          const timespec* deadline) {
  // glibc answers for a clock it cannot wait on before it looks at the mutex.
  if (clock != CLOCK_REALTIME && clock != CLOCK_MONOTONIC)
    return real_clocklock(mutex, clock, deadline);
  return entry::mutex_timedlock(mutex, clock, deadline, HEDDLE_CALLER);
}
HEDDLE_EXPORT int pthread_mutex_unlock(pthread_mutex_t* mutex) {
  return entry::mutex_unlock(mutex, HEDDLE_CALLER);
}

// Old binaries call glibc's other names for the same functions.
HEDDLE_EXPORT int __pthread_mutex_init(pthread_mutex_t* mutex,
                                       const pthread_mutexattr_t* attributes) {
  return around({EventKind::mutex_init, mutex, HEDDLE_CALLER},
                [&] { return real_init(mutex, attributes); });
}
HEDDLE_EXPORT int __pthread_mutex_destroy(pthread_mutex_t* mutex) {
  return entry::mutex_destroy(mutex, HEDDLE_CALLER);
}
HEDDLE_EXPORT int __pthread_mutex_lock(pthread_mutex_t* mutex) {
  return entry::mutex_lock(mutex, HEDDLE_CALLER);
}
HEDDLE_EXPORT int __pthread_mutex_trylock(pthread_mutex_t* mutex) {
  return entry::mutex_trylock(mutex, HEDDLE_CALLER);
}
HEDDLE_EXPORT int __pthread_mutex_unlock(pthread_mutex_t* mutex) {
  return entry::mutex_unlock(mutex, HEDDLE_CALLER);
}
