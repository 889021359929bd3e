// WHAT    Random numbers, process and thread numbers behave as documented, in every thread.
// EXPECT  pass
// WITHIN  strategy every runs 40 seed 1
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

static pid_t own_process;

static void* look(void* argument) {
  assert(getpid() == own_process);
  *(pid_t*)argument = gettid();
  assert(gettid() != own_process);
  cpu_set_t set;
  assert(sched_getaffinity(0, sizeof set, &set) == 0 && CPU_COUNT(&set) >= 1);
  assert(sched_getcpu() >= 0);
  return NULL;
}

int main(void) {
  own_process = getpid();
  assert(gettid() == own_process);
  pid_t numbers[3];
  pthread_t threads[3];
  for (int i = 0; i < 3; i++) pthread_create(&threads[i], NULL, look, &numbers[i]);
  for (int i = 0; i < 3; i++) pthread_join(threads[i], NULL);
  unsigned char first[16], second[16];
  assert(getrandom(first, sizeof first, 0) == sizeof first);
  assert(getentropy(second, sizeof second) == 0);
  assert(memcmp(first, second, sizeof first) != 0);
  srand(3);
  const int drawn = rand();
  srand(3);
  assert(rand() == drawn);
  return 0;
}
