// Two threads that share nothing: exits 1 if the clock went on by 10 ms for each of the ten places that one wrote to.
#include <pthread.h>
#include <stdlib.h>
#include <time.h>

enum { kPlaces = 10 };

static volatile int own[2][kPlaces];

static long milliseconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static void* work(void* number) {
  const long self = (long)number;
  const long start = milliseconds();
  for (int i = 0; i < kPlaces; i++) own[self][i] = i;
  return (void*)(long)(milliseconds() - start >= 10 * kPlaces);
}

int main(void) {
  pthread_t thread;
  void* long_in_thread;
  if (pthread_create(&thread, NULL, work, (void*)1) != 0) abort();
  void* const long_in_main = work((void*)0);
  pthread_join(thread, &long_in_thread);
  return long_in_thread != NULL && long_in_main != NULL;
}
