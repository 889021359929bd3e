// WHAT    A mutex and an event made of raw futexes (Drepper's third mutex), with a timeout and
//         EAGAIN.
// EXPECT  pass
// WITHIN  strategy every runs 40 seed 1
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <limits.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static atomic_int state, event;
static int value;

static long futex(atomic_int* address, int operation, int argument,
                  const struct timespec* timeout) {
  return syscall(SYS_futex, address, operation, argument, timeout, NULL, 0);
}

static void lock(void) {
  int seen = 0;
  if (atomic_compare_exchange_strong(&state, &seen, 1)) return;
  if (seen != 2) seen = atomic_exchange(&state, 2);
  while (seen != 0) {
    futex(&state, FUTEX_WAIT_PRIVATE, 2, NULL);
    seen = atomic_exchange(&state, 2);
  }
}

static void unlock(void) {
  if (atomic_exchange(&state, 0) == 2) futex(&state, FUTEX_WAKE_PRIVATE, 1, NULL);
}

static void* work(void* unused) {
  while (event == 0) futex(&event, FUTEX_WAIT_PRIVATE, 0, NULL);
  for (int i = 0; i < 3; i++) {
    lock();
    value++;
    unlock();
  }
  return unused;
}

int main(void) {
  const struct timespec moment = {0, 1000000};
  assert(futex(&event, FUTEX_WAIT_PRIVATE, 1, NULL) == -1 && errno == EAGAIN);
  assert(futex(&event, FUTEX_WAIT_PRIVATE, 0, &moment) == -1 && errno == ETIMEDOUT);
  assert(futex(&event, FUTEX_WAKE_PRIVATE, 1, NULL) == 0);
  pthread_t threads[3];
  for (int i = 0; i < 3; i++) pthread_create(&threads[i], NULL, work, NULL);
  event = 1;
  const long woken = futex(&event, FUTEX_WAKE_PRIVATE, INT_MAX, NULL);
  assert(woken >= 0 && woken <= 3);
  for (int i = 0; i < 3; i++) pthread_join(threads[i], NULL);
  assert(value == 9);
  return 0;
}
