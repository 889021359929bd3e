// WHAT    A mutex and an event made of raw futexes (Drepper's third mutex), with a timeout and
//         EAGAIN. Words that are not where a word can be are refused.
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
#include <sys/mman.h>
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

static void ask_in_vain(void) {
  const struct timespec moment = {0, 1000000};
  atomic_int* const odd = (atomic_int*)((char*)&event + 1);
  assert(futex(odd, FUTEX_WAIT, 0, &moment) == -1 && errno == EINVAL);
  assert(futex(odd, FUTEX_WAKE_PRIVATE, 1, NULL) == -1 && errno == EINVAL);
  assert(futex(NULL, FUTEX_WAIT, 0, &moment) == -1 && errno == EFAULT);
  assert(futex(NULL, FUTEX_WAIT_PRIVATE, 0, &moment) == -1 && errno == EFAULT);
  atomic_int* const gone =
      mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  assert(futex(gone, FUTEX_WAIT_PRIVATE, 0, &moment) == -1 && errno == ETIMEDOUT);
  assert(futex(gone, FUTEX_WAIT_PRIVATE, 1, &moment) == -1 && errno == EAGAIN);
  munmap(gone, 4096);
  assert(futex(gone, FUTEX_WAIT_PRIVATE, 0, &moment) == -1 && errno == EFAULT);
  assert(syscall(SYS_futex, gone, FUTEX_CMP_REQUEUE_PRIVATE, 1, 1, &event, 0) == -1 &&
         errno == EFAULT);
  const int add = FUTEX_OP(FUTEX_OP_ADD, 1, FUTEX_OP_CMP_EQ, 0);
  assert(syscall(SYS_futex, &event, FUTEX_WAKE_OP_PRIVATE, 1, 1, gone, add) == -1 &&
         errno == EFAULT);
}

int main(void) {
  ask_in_vain();
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
