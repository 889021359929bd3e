// WHAT    main() adds up the threads' results just before it joins them.
// EXPECT  failure exit
// WITHIN  strategy portfolio runs 200 seed 1
// REPLAYS 20/20
// CLASS   sleep-as-synchronisation|data race
// MIN_PREEMPTIONS 0
// DECISIVE main, compute
// ORIGIN  Program t05 of Fiedor et al. (2018). The threads are told to start last to first, so that
//         main() is usually late.
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

enum { kThreads = 2 };

static int results[kThreads];

static void* compute(void* argument) {
  const long number = (long)argument;
  results[number] = 10;
  return NULL;
}

int main(void) {
  pthread_t threads[kThreads];
  for (long i = kThreads - 1; i >= 0; i--) pthread_create(&threads[i], NULL, compute, (void*)i);
  usleep(10 * 1000);  // the rest of main()'s work
  int sum = 0;
  for (int i = 0; i < kThreads; i++) sum += results[i];
  for (int i = 0; i < kThreads; i++) pthread_join(threads[i], NULL);
  if (sum == 10 * kThreads) return 0;
  fprintf(stderr, "the sum is %d\n", sum);
  return 1;
}
