// WHAT    A spin lock made of C11 atomics, in functions that are not inlined, guards a static variable. gcc keeps that in a register
//         from one critical section to the next (-fipa-reference), which the wrapper does not let it do.
// EXPECT  pass
// WITHIN  strategy every runs 40 seed 1
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

enum { kThreads = 3 };

static atomic_int taken;
static int value;

__attribute__((noinline)) static void lock(void) {
  int free = 0;
  while (!atomic_compare_exchange_strong(&taken, &free, 1)) free = 0;
}

__attribute__((noinline)) static void unlock(void) { atomic_store(&taken, 0); }

static void* count_twice(void* unused) {
  lock();
  value++;
  unlock();
  lock();
  value++;
  unlock();
  return unused;
}

int main(void) {
  pthread_t threads[kThreads];
  for (int i = 0; i < kThreads; i++) pthread_create(&threads[i], NULL, count_twice, NULL);
  for (int i = 0; i < kThreads; i++) pthread_join(threads[i], NULL);
  assert(value == 2 * kThreads);
  return 0;
}
