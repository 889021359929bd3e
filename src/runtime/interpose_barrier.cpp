// pthread barriers. Initialisation stays libc's: the engine reads the count from the barrier itself.
#include <pthread.h>

#include "runtime/controlled/operations.h"
#include "runtime/free_engine.h"
#include "runtime/platform/export.h"
#include "runtime/platform/real.h"

using heddle::EventKind;
using namespace heddle::runtime;  // NOLINT: thin entry points

namespace {

using Barrier = pthread_barrier_t;

HEDDLE_REAL Real<int(Barrier*, const pthread_barrierattr_t*, unsigned)> real_init{
    "pthread_barrier_init"};
HEDDLE_REAL Real<int(Barrier*)> real_destroy{"pthread_barrier_destroy"};
HEDDLE_REAL Real<int(Barrier*)> real_wait{"pthread_barrier_wait"};

}  // namespace

HEDDLE_EXPORT int pthread_barrier_init(Barrier* barrier, const pthread_barrierattr_t* attributes,
                                       unsigned count) {
  return around({EventKind::barrier_init, barrier, HEDDLE_CALLER, count},
                [&] { return real_init(barrier, attributes, count); });
}
HEDDLE_EXPORT int pthread_barrier_destroy(Barrier* barrier) {
  return around({EventKind::barrier_destroy, barrier, HEDDLE_CALLER},
                [&] { return real_destroy(barrier); });
}
HEDDLE_EXPORT int pthread_barrier_wait(Barrier* barrier) {
  if (under_control()) return heddle::controlled::barrier_wait(barrier, HEDDLE_CALLER);
  return around({EventKind::barrier_wait, barrier, HEDDLE_CALLER},
                [&] { return real_wait(barrier); });
}
