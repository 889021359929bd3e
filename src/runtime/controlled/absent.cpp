// Stands in for the controlled engine while a build has none: everything links, and a run that asks for the engine ends with
// a sentence. All weak, so the engine's own definitions win. To be deleted with the engine's arrival.
#include "base/check.h"
#include "runtime/controlled/begin.h"
#include "runtime/controlled/operations.h"

#define HEDDLE_ABSENT __attribute__((weak))

namespace heddle::controlled {
namespace {
[[noreturn]] void absent() { check_failed("this build has the controlled engine"); }
}  // namespace

HEDDLE_ABSENT void begin_run() { absent(); }
HEDDLE_ABSENT bool regain_control() { absent(); }
HEDDLE_ABSENT int thread_create(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*,
                                Caller) {
  absent();
}
HEDDLE_ABSENT int thread_join(pthread_t, void**, Caller) { absent(); }
HEDDLE_ABSENT int thread_tryjoin(pthread_t, void**, Caller) { absent(); }
HEDDLE_ABSENT int thread_timedjoin(pthread_t, void**, clockid_t, const timespec*, Caller) {
  absent();
}
HEDDLE_ABSENT int thread_detach(pthread_t, Caller) { absent(); }
HEDDLE_ABSENT int thread_cancel(pthread_t, Caller) { absent(); }
HEDDLE_ABSENT void thread_exiting(Caller) { absent(); }
HEDDLE_ABSENT int mutex_lock(pthread_mutex_t*, Caller) { absent(); }
HEDDLE_ABSENT int mutex_trylock(pthread_mutex_t*, Caller) { absent(); }
HEDDLE_ABSENT int mutex_timedlock(pthread_mutex_t*, clockid_t, const timespec*, Caller) {
  absent();
}
HEDDLE_ABSENT int mutex_unlock(pthread_mutex_t*, Caller) { absent(); }
HEDDLE_ABSENT int mutex_destroy(pthread_mutex_t*, Caller) { absent(); }
HEDDLE_ABSENT int spin_lock(pthread_spinlock_t*, Caller) { absent(); }
HEDDLE_ABSENT int spin_trylock(pthread_spinlock_t*, Caller) { absent(); }
HEDDLE_ABSENT int spin_unlock(pthread_spinlock_t*, Caller) { absent(); }
HEDDLE_ABSENT int rwlock_rdlock(pthread_rwlock_t*, clockid_t, const timespec*, Caller) { absent(); }
HEDDLE_ABSENT int rwlock_wrlock(pthread_rwlock_t*, clockid_t, const timespec*, Caller) { absent(); }
HEDDLE_ABSENT int rwlock_tryrdlock(pthread_rwlock_t*, Caller) { absent(); }
HEDDLE_ABSENT int rwlock_trywrlock(pthread_rwlock_t*, Caller) { absent(); }
HEDDLE_ABSENT int rwlock_unlock(pthread_rwlock_t*, Caller) { absent(); }
HEDDLE_ABSENT int cond_wait(pthread_cond_t*, pthread_mutex_t*, clockid_t, const timespec*, Caller) {
  absent();
}
HEDDLE_ABSENT int cond_signal(pthread_cond_t*, Caller) { absent(); }
HEDDLE_ABSENT int cond_broadcast(pthread_cond_t*, Caller) { absent(); }
HEDDLE_ABSENT int cond_destroy(pthread_cond_t*, Caller) { absent(); }
HEDDLE_ABSENT int barrier_wait(pthread_barrier_t*, Caller) { absent(); }
HEDDLE_ABSENT int sem_wait(sem_t*, clockid_t, const timespec*, Caller) { absent(); }
HEDDLE_ABSENT int sem_trywait(sem_t*, Caller) { absent(); }
HEDDLE_ABSENT int sem_post(sem_t*, Caller) { absent(); }
HEDDLE_ABSENT int once(pthread_once_t*, void (*)(), Caller) { absent(); }
HEDDLE_ABSENT long futex(std::uint32_t*, int, std::uint32_t, const timespec*, std::uint32_t*,
                         std::uint32_t, Caller) {
  absent();
}
HEDDLE_ABSENT int sleep(clockid_t, int, const timespec*, Caller) { absent(); }
HEDDLE_ABSENT void yield(Caller) { absent(); }
HEDDLE_ABSENT bool clock_now(clockid_t, timespec*, Caller) { absent(); }
HEDDLE_ABSENT void before_access(const void*, std::size_t, EventKind, Caller) { absent(); }
HEDDLE_ABSENT void before_atomic(const void*, std::size_t, EventKind, MemoryOrder, Caller) {
  absent();
}
HEDDLE_ABSENT void after_atomic(const void*, std::size_t, EventKind, MemoryOrder, std::uint64_t,
                                bool) {
  absent();
}
HEDDLE_ABSENT void allocated(void*, std::size_t, Caller) { absent(); }
HEDDLE_ABSENT void released(void*) { absent(); }
HEDDLE_ABSENT void leave_control(const char*, Caller) { absent(); }
HEDDLE_ABSENT void enter_control() { absent(); }
HEDDLE_ABSENT bool wait_for_descriptor(int, short, std::int64_t, const char*, Caller) { absent(); }
HEDDLE_ABSENT void process_exiting(int, Caller) { absent(); }
HEDDLE_ABSENT void before_fork(Caller) { absent(); }
HEDDLE_ABSENT void after_fork_in_parent() { absent(); }
HEDDLE_ABSENT void after_fork_in_child() { absent(); }

}  // namespace heddle::controlled
