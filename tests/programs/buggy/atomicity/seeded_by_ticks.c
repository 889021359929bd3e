// WHAT    A stress test draws what its threads do from the processor's time stamp counter; a counter is read and written without a
//         lock. What was drawn decides whether a run fails, and has to be drawn again.
// EXPECT  failure exit   sites count
// WITHIN  strategy random runs 200 seed 1
// REPLAYS 20/20
// CLASS   data race
// FIXED   Count under a lock.
#define _GNU_SOURCE
#include <pthread.h>
#include <stdlib.h>
#include <x86intrin.h>

enum { kThreads = 2 };

static int value, wanted[kThreads];

static void* count(void* which) {
  unsigned seed = (unsigned)__rdtsc();
  const int times = rand_r(&seed) % 4;
  wanted[(long)which] = times;
  for (int i = 0; i < times; i++) {
    const int seen = value;
    value = seen + 1;
  }
  return NULL;
}

int main(void) {
  pthread_t threads[kThreads];
  for (long i = 0; i < kThreads; i++) pthread_create(&threads[i], NULL, count, (void*)i);
  for (int i = 0; i < kThreads; i++) pthread_join(threads[i], NULL);
  return value != wanted[0] + wanted[1];
}
