// pthread spin locks. pthread_spin_init and _unlock are one function in glibc, so init is an event without a model.
#include <pthread.h>

#include "runtime/controlled/operations.h"
#include "runtime/free_engine.h"
#include "runtime/platform/export.h"
#include "runtime/platform/real.h"

using heddle::EventKind;
using namespace heddle::runtime;  // NOLINT: thin entry points
namespace controlled = heddle::controlled;

namespace {

// The type is volatile int: const or not, it is passed as it is declared.
using Lock = pthread_spinlock_t;

HEDDLE_REAL Real<int(Lock*, int)> real_init{"pthread_spin_init"};
HEDDLE_REAL Real<int(Lock*)> real_destroy{"pthread_spin_destroy"};
HEDDLE_REAL Real<int(Lock*)> real_lock{"pthread_spin_lock"};
HEDDLE_REAL Real<int(Lock*)> real_trylock{"pthread_spin_trylock"};
HEDDLE_REAL Real<int(Lock*)> real_unlock{"pthread_spin_unlock"};

const void* object(Lock* lock) { return const_cast<const int*>(lock); }

}  // namespace

HEDDLE_EXPORT int pthread_spin_init(Lock* lock, int shared) {
  return around({EventKind::mutex_init, object(lock), HEDDLE_CALLER},
                [&] { return real_init(lock, shared); });
}
HEDDLE_EXPORT int pthread_spin_destroy(Lock* lock) {
  return around({EventKind::mutex_destroy, object(lock), HEDDLE_CALLER},
                [&] { return real_destroy(lock); });
}
HEDDLE_EXPORT int pthread_spin_lock(Lock* lock) {
  if (under_control()) return controlled::spin_lock(lock, HEDDLE_CALLER);
  return around({EventKind::spin_lock, object(lock), HEDDLE_CALLER},
                [&] { return real_lock(lock); });
}
HEDDLE_EXPORT int pthread_spin_trylock(Lock* lock) {
  if (under_control()) return controlled::spin_trylock(lock, HEDDLE_CALLER);
  return around({EventKind::spin_trylock, object(lock), HEDDLE_CALLER},
                [&] { return real_trylock(lock); });
}
HEDDLE_EXPORT int pthread_spin_unlock(Lock* lock) {
  if (under_control()) return controlled::spin_unlock(lock, HEDDLE_CALLER);
  return around({EventKind::spin_unlock, object(lock), HEDDLE_CALLER},
                [&] { return real_unlock(lock); });
}
