// WHAT    Two threads that sleep two seconds in all: quick only where time is virtual.
// EXPECT  pass
// WITHIN  strategy every runs 40 seed 1
// NATIVE  slow
#include <assert.h>
#include <pthread.h>
#include <time.h>
#include <unistd.h>

static void* nap(void* unused) {
  for (int i = 0; i < 10; i++) usleep(100 * 1000);
  return unused;
}

int main(void) {
  struct timespec start, end;
  clock_gettime(CLOCK_MONOTONIC, &start);
  pthread_t threads[2];
  for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, nap, NULL);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
  clock_gettime(CLOCK_MONOTONIC, &end);
  assert(end.tv_sec - start.tv_sec + (end.tv_nsec - start.tv_nsec) * 1e-9 >= 1.0);
  return 0;
}
