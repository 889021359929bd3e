// WHAT    Clocks of processor time: a sleep takes none of it, and they never go back. gettimeofday() may be asked for the zone alone.
// EXPECT  pass
// WITHIN  strategy every runs 20 seed 1
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static double seconds(clockid_t clock) {
  struct timespec now;
  assert(clock_gettime(clock, &now) == 0);
  return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static void* sleeps(void* argument) {
  const double thread = seconds(CLOCK_THREAD_CPUTIME_ID);
  const double process = seconds(CLOCK_PROCESS_CPUTIME_ID);
  usleep(900000);
  const double thread_worked = seconds(CLOCK_THREAD_CPUTIME_ID) - thread;
  const double process_worked = seconds(CLOCK_PROCESS_CPUTIME_ID) - process;
  assert(thread_worked >= 0 && thread_worked < 0.5);
  assert(process_worked >= 0 && process_worked < 0.8);
  return argument;
}

int main(void) {
  pthread_t threads[2];
  struct timezone zone;
  struct timezone* const asked = &zone;
  struct timeval* volatile nowhere = NULL;
  assert(gettimeofday(nowhere, asked) == 0);
  for (int i = 0; i < 2; ++i) assert(pthread_create(&threads[i], NULL, sleeps, NULL) == 0);
  for (int i = 0; i < 2; ++i) assert(pthread_join(threads[i], NULL) == 0);
  return 0;
}
