// WHAT    A lock made of a futex with priority inheritance, taken by compare-and-exchange where it is free and by the kernel where it
//         is not; it refuses its holder, who does not hold it, and waits no longer than it is asked to.
// EXPECT  pass
// CONTROL whole
// WITHIN  strategy every runs 40 seed 1
// OPTIONS --fail-on race
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { kThreads = 3, kRounds = 2 };

static _Atomic uint32_t word;
static int value;

static long ask_kernel(int operation, const struct timespec* deadline) {
  return syscall(SYS_futex, &word, operation | FUTEX_PRIVATE_FLAG, 0, deadline, NULL, 0);
}

static void lock(void) {
  uint32_t nobody = 0;
  if (atomic_compare_exchange_strong(&word, &nobody, (uint32_t)gettid())) return;
  assert(ask_kernel(FUTEX_LOCK_PI, NULL) == 0);
}

static void unlock(void) {
  uint32_t me = (uint32_t)gettid();
  if (atomic_compare_exchange_strong(&word, &me, 0)) return;
  assert(ask_kernel(FUTEX_UNLOCK_PI, NULL) == 0);
}

static void* count(void* unused) {
  for (int i = 0; i < kRounds; i++) {
    lock();
    value++;
    unlock();
  }
  return unused;
}

static void* ask_in_vain(void* unused) {
  const struct timespec past = {1, 0};
  assert(ask_kernel(FUTEX_TRYLOCK_PI, NULL) == -1 && errno == EAGAIN);
  assert(ask_kernel(FUTEX_UNLOCK_PI, NULL) == -1 && errno == EPERM);
  assert(ask_kernel(FUTEX_LOCK_PI, &past) == -1 && errno == ETIMEDOUT);
  return unused;
}

int main(void) {
  pthread_t threads[kThreads];
  for (int i = 0; i < kThreads; i++) pthread_create(&threads[i], NULL, count, NULL);
  for (int i = 0; i < kThreads; i++) pthread_join(threads[i], NULL);
  assert(value == kThreads * kRounds && word == 0);
  lock();
  assert(ask_kernel(FUTEX_LOCK_PI, NULL) == -1 && errno == EDEADLK);
  pthread_create(&threads[0], NULL, ask_in_vain, NULL);
  pthread_join(threads[0], NULL);
  unlock();
  assert(ask_kernel(FUTEX_TRYLOCK_PI, NULL) == 0);
  assert(ask_kernel(FUTEX_UNLOCK_PI, NULL) == 0);
  return 0;
}
