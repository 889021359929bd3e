// C11 threads. glibc's own functions call pthread's by internal names that nobody can interpose, so they are mapped
// here onto ours: the types are the same memory, only the results are numbered differently.
#include <errno.h>
#include <pthread.h>
#include <threads.h>

#include <cstdint>

#include "runtime/controlled/operations.h"
#include "runtime/entry.h"
#include "runtime/free_engine.h"
#include "runtime/platform/export.h"
#include "runtime/platform/real.h"

using heddle::EventKind;
using namespace heddle::runtime;  // NOLINT: thin entry points
namespace controlled = heddle::controlled;

namespace {

HEDDLE_REAL Real<int(mtx_t*, int)> real_mtx_init{"mtx_init"};
HEDDLE_REAL Real<int(cnd_t*)> real_cnd_init{"cnd_init"};

static_assert(sizeof(mtx_t) == sizeof(pthread_mutex_t));
static_assert(sizeof(cnd_t) == sizeof(pthread_cond_t));
static_assert(sizeof(once_flag) == sizeof(pthread_once_t));

pthread_mutex_t* pthread(mtx_t* mutex) { return reinterpret_cast<pthread_mutex_t*>(mutex); }
pthread_cond_t* pthread(cnd_t* cond) { return reinterpret_cast<pthread_cond_t*>(cond); }

int c11_result(int error) {
  switch (error) {
    case 0:
      return thrd_success;
    case ENOMEM:
      return thrd_nomem;
    case ETIMEDOUT:
      return thrd_timedout;
    case EBUSY:
      return thrd_busy;
    default:
      return thrd_error;
  }
}

}  // namespace

// A start routine that returns int is called as if it returned a pointer: on x86-64 both come back in the same register,
// and thrd_join keeps the lower half. That spares an allocation for a wrapper's arguments.
HEDDLE_EXPORT int thrd_create(thrd_t* thread, thrd_start_t routine, void* argument) {
  const auto start = reinterpret_cast<void* (*)(void*)>(reinterpret_cast<void*>(routine));
  if (under_control())
    return c11_result(controlled::thread_create(thread, nullptr, start, argument, HEDDLE_CALLER));
  return c11_result(pthread_create(thread, nullptr, start, argument));
}
HEDDLE_EXPORT int thrd_join(thrd_t thread, int* result) {
  void* returned = nullptr;
  const int error = under_control() ? controlled::thread_join(thread, &returned, HEDDLE_CALLER)
                                    : pthread_join(thread, &returned);
  if (result != nullptr) *result = static_cast<int>(reinterpret_cast<std::intptr_t>(returned));
  return c11_result(error);
}
HEDDLE_EXPORT int thrd_detach(thrd_t thread) {
  return c11_result(under_control() ? controlled::thread_detach(thread, HEDDLE_CALLER)
                                    : pthread_detach(thread));
}
HEDDLE_EXPORT void thrd_exit(int result) {
  pthread_exit(reinterpret_cast<void*>(static_cast<std::intptr_t>(result)));
}

HEDDLE_EXPORT int mtx_init(mtx_t* mutex, int type) {
  return around({EventKind::mutex_init, mutex, HEDDLE_CALLER},
                [&] { return real_mtx_init(mutex, type); });
}
HEDDLE_EXPORT void mtx_destroy(mtx_t* mutex) {
  entry::mutex_destroy(pthread(mutex), HEDDLE_CALLER);
}
HEDDLE_EXPORT int mtx_lock(mtx_t* mutex) {
  return c11_result(entry::mutex_lock(pthread(mutex), HEDDLE_CALLER));
}
HEDDLE_EXPORT int mtx_trylock(mtx_t* mutex) {
  return c11_result(entry::mutex_trylock(pthread(mutex), HEDDLE_CALLER));
}
HEDDLE_EXPORT int mtx_timedlock(mtx_t* mutex, const timespec* deadline) {
  return c11_result(
      entry::mutex_timedlock(pthread(mutex), CLOCK_REALTIME, deadline, HEDDLE_CALLER));
}
HEDDLE_EXPORT int mtx_unlock(mtx_t* mutex) {
  return c11_result(entry::mutex_unlock(pthread(mutex), HEDDLE_CALLER));
}

HEDDLE_EXPORT int cnd_init(cnd_t* cond) {
  return around({EventKind::cond_init, cond, HEDDLE_CALLER}, [&] { return real_cnd_init(cond); });
}
HEDDLE_EXPORT void cnd_destroy(cnd_t* cond) { entry::cond_destroy(pthread(cond), HEDDLE_CALLER); }
HEDDLE_EXPORT int cnd_wait(cnd_t* cond, mtx_t* mutex) {
  return c11_result(entry::cond_wait(pthread(cond), pthread(mutex), HEDDLE_CALLER));
}
HEDDLE_EXPORT int cnd_timedwait(cnd_t* cond, mtx_t* mutex, const timespec* deadline) {
  return c11_result(entry::cond_timedwait(pthread(cond), pthread(mutex), deadline, HEDDLE_CALLER));
}
HEDDLE_EXPORT int cnd_signal(cnd_t* cond) {
  return c11_result(entry::cond_signal(pthread(cond), HEDDLE_CALLER));
}
HEDDLE_EXPORT int cnd_broadcast(cnd_t* cond) {
  return c11_result(entry::cond_broadcast(pthread(cond), HEDDLE_CALLER));
}
