// pthread_once and C11's call_once, which are one thing in glibc. The routine may throw: std::call_once relies on it,
// and so this file must not keep anything that needs undoing across the real call.
#include <pthread.h>

#include "runtime/controlled/operations.h"
#include "runtime/entry.h"
#include "runtime/free_detect.h"
#include "runtime/free_engine.h"
#include "runtime/platform/export.h"
#include "runtime/platform/real.h"

namespace heddle::runtime {

namespace {
HEDDLE_REAL Real<int(pthread_once_t*, void (*)())> real_once{"pthread_once"};
}  // namespace

int entry::once(pthread_once_t* control, void (*routine)(), void* caller) {
  if (under_control()) return controlled::once(control, routine, caller);
  return around({EventKind::once, control, caller}, [&] {
    return real_once(control, g_detecting ? once_routine(routine, control, caller) : routine);
  });
}

}  // namespace heddle::runtime

HEDDLE_EXPORT int pthread_once(pthread_once_t* control, void (*routine)()) {
  return heddle::runtime::entry::once(control, routine, HEDDLE_CALLER);
}
HEDDLE_EXPORT int __pthread_once(pthread_once_t* control, void (*routine)()) {
  return heddle::runtime::entry::once(control, routine, HEDDLE_CALLER);
}
HEDDLE_EXPORT void call_once(pthread_once_t* control, void (*routine)()) {
  heddle::runtime::entry::once(control, routine, HEDDLE_CALLER);
}
