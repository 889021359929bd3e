// WHAT    What glibc and the kernel answer: to times and numbers that they refuse, of locks with a ceiling, whose owner has died, or
//         for which a writer waits, and in a stream's lock.
// EXPECT  pass
// WITHIN  strategy every runs 15 seed 1
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <limits.h>
#include <linux/futex.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <sys/select.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { kWaiters = 3, kLocks = 30 };

static unsigned word, other;
static int woken;

static long futex(unsigned* at, int operation, unsigned value, const void* fourth, unsigned* second,
                  unsigned last) {
  return syscall(SYS_futex, at, operation | FUTEX_PRIVATE_FLAG, value, fourth, second, last);
}

static int refused(long result) { return result == -1 ? errno : 0; }

static void refuse_times(void) {
  const struct timespec negative = {-1, 0};
  const struct timespec large = {0, 2000000000};
  struct timeval before = {-1, 0};
  sigset_t none;
  sigemptyset(&none);
  assert(refused(select(0, NULL, NULL, NULL, &before)) == EINVAL);
  assert(refused(pselect(0, NULL, NULL, NULL, &large, NULL)) == EINVAL);
  assert(refused(ppoll(NULL, 0, &large, NULL)) == EINVAL);
  assert(refused(sigtimedwait(&none, NULL, &large)) == EINVAL);
  assert(refused(futex(&word, FUTEX_WAIT, word, &negative, NULL, 0)) == EINVAL);
}

static void* wait_for_wake(void* unused) {
  while (futex(&word, FUTEX_WAIT, 0, NULL, NULL, 0) != 0) {
  }
  __atomic_fetch_add(&woken, 1, __ATOMIC_SEQ_CST);
  return unused;
}

static void count_futexes(void) {
  pthread_t waiters[kWaiters];
  for (int i = 0; i < kWaiters; i++) pthread_create(&waiters[i], NULL, wait_for_wake, NULL);
  // A number below one wakes one.
  for (int i = 0; i < kWaiters; i++) {
    while (futex(&word, FUTEX_WAKE, UINT_MAX, NULL, NULL, 0) == 0) sched_yield();
  }
  for (int i = 0; i < kWaiters; i++) pthread_join(waiters[i], NULL);
  assert(woken == kWaiters);
  assert(refused(futex(&word, FUTEX_WAKE_BITSET, 1, NULL, NULL, 0)) == EINVAL);
  assert(refused(futex(&word, FUTEX_REQUEUE, -1, NULL, &other, 0)) == EINVAL);
  other = 5;
  assert(futex(&word, FUTEX_WAKE_OP, 1, NULL, &other,
               FUTEX_OP(FUTEX_OP_ADD, -1, FUTEX_OP_CMP_EQ, 0)) == 0);
  assert(other == 4);
  assert(refused(futex(&word, FUTEX_WAKE_OP, 1, NULL, &other, 7u << 28)) == ENOSYS);
}

static void lock_with_ceiling(void) {
  pthread_mutexattr_t kind;
  pthread_mutex_t lock;
  pthread_mutexattr_init(&kind);
  pthread_mutexattr_setprotocol(&kind, PTHREAD_PRIO_PROTECT);
  pthread_mutexattr_setprioceiling(&kind, 2);
  pthread_mutex_init(&lock, &kind);
  // Only threads with a real-time priority may.
  assert(pthread_mutex_lock(&lock) == EINVAL);
  pthread_mutex_destroy(&lock);
}

static pthread_mutex_t robust;
static pthread_cond_t told = PTHREAD_COND_INITIALIZER;

static void* tell_and_end(void* unused) {
  pthread_mutex_lock(&robust);
  pthread_cond_signal(&told);
  return unused;  // it dies with the lock
}

static void wait_for_heritage(void) {
  pthread_mutexattr_t kind;
  pthread_t thread;
  pthread_mutexattr_init(&kind);
  pthread_mutexattr_setrobust(&kind, PTHREAD_MUTEX_ROBUST);
  pthread_mutex_init(&robust, &kind);
  pthread_mutex_lock(&robust);
  pthread_create(&thread, NULL, tell_and_end, NULL);
  assert(pthread_cond_wait(&told, &robust) == EOWNERDEAD);
  assert(pthread_mutex_consistent(&robust) == 0);
  pthread_mutex_unlock(&robust);
  pthread_join(thread, NULL);
}

static pthread_rwlock_t guarded;
static int wrote;

static void* write_once(void* unused) {
  pthread_rwlock_wrlock(&guarded);
  wrote = 1;
  pthread_rwlock_unlock(&guarded);
  return unused;
}

static void try_beside_writer(void) {
  pthread_rwlockattr_t kind;
  pthread_t writer;
  pthread_rwlockattr_init(&kind);
  pthread_rwlockattr_setkind_np(&kind, PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP);
  pthread_rwlock_init(&guarded, &kind);
  pthread_rwlock_rdlock(&guarded);
  pthread_create(&writer, NULL, write_once, NULL);
  int result;
  // In the end the writer waits, and then no reader gets in.
  while ((result = pthread_rwlock_tryrdlock(&guarded)) == 0) {
    pthread_rwlock_unlock(&guarded);
    sched_yield();
  }
  assert(result == EBUSY && wrote == 0);
  pthread_rwlock_unlock(&guarded);
  pthread_join(writer, NULL);
  assert(wrote == 1);
}

static void lock_stream_with_locks(void) {
  static pthread_mutex_t locks[kLocks];
  for (int i = 0; i < kLocks; i++) {
    pthread_mutex_init(&locks[i], NULL);
    pthread_mutex_lock(&locks[i]);
  }
  flockfile(stdout);
  flockfile(stdout);
  puts("locked twice");
  funlockfile(stdout);
  funlockfile(stdout);
  for (int i = 0; i < kLocks; i++) pthread_mutex_unlock(&locks[i]);
}

int main(void) {
  refuse_times();
  count_futexes();
  lock_with_ceiling();
  wait_for_heritage();
  try_beside_writer();
  lock_stream_with_locks();
  return 0;
}
