// WHAT    Detached threads, pthread_exit with a value, and a main() that leaves by pthread_exit.
// EXPECT  pass
// WITHIN  strategy every runs 40 seed 1
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>
#include <time.h>

static sem_t done;

static void* detached(void* unused) {
  sem_post(&done);
  return unused;
}

static void* with_value(void* argument) { pthread_exit(argument); }

static void* last(void* unused) {
  (void)unused;
  for (int i = 0; i < 2; i++) sem_wait(&done);
  exit(0);
}

int main(void) {
  sem_init(&done, 0, 0);
  pthread_t thread;
  void* value;
  pthread_create(&thread, NULL, with_value, (void*)7);
  const struct timespec past = {0, 0};
  assert(pthread_clockjoin_np(thread, &value, CLOCK_THREAD_CPUTIME_ID, &past) == EINVAL);
  pthread_join(thread, &value);
  assert(value == (void*)7);

  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
  pthread_attr_setstacksize(&attributes, 256 * 1024);
  pthread_create(&thread, &attributes, detached, NULL);
  pthread_create(&thread, NULL, detached, NULL);
  pthread_detach(thread);
  pthread_attr_destroy(&attributes);
  pthread_create(&thread, NULL, last, NULL);
  pthread_exit(NULL);
}
