// C11 threads with the results C11 gives.
#define _GNU_SOURCE
#include <threads.h>
#include <time.h>

#include "check.h"

static mtx_t mutex;
static cnd_t cond;
static int ready;
static once_flag flag = ONCE_FLAG_INIT;
static int once_runs;

static void count_once(void) { ++once_runs; }

static int worker(void* argument) {
  CHECK(mtx_trylock(&mutex) == thrd_busy);
  struct timespec deadline;
  timespec_get(&deadline, TIME_UTC);
  CHECK(mtx_timedlock(&mutex, &deadline) == thrd_timedout);
  return *(int*)argument;
}

static int notifier(void* argument) {
  (void)argument;
  CHECK(mtx_lock(&mutex) == thrd_success);
  ready = 1;
  CHECK(cnd_signal(&cond) == thrd_success);
  CHECK(mtx_unlock(&mutex) == thrd_success);
  CHECK(cnd_broadcast(&cond) == thrd_success);
  thrd_exit(-3);
}

static int detached(void* argument) {
  __atomic_store_n((int*)argument, 1, __ATOMIC_RELEASE);
  return 0;
}

int main(void) {
  thrd_t thread;
  int given = -42, result = 0, done = 0;
  CHECK(mtx_init(&mutex, mtx_timed) == thrd_success);
  CHECK(cnd_init(&cond) == thrd_success);
  CHECK(mtx_lock(&mutex) == thrd_success);
  CHECK(thrd_create(&thread, worker, &given) == thrd_success);
  CHECK(thrd_join(thread, &result) == thrd_success && result == -42);

  CHECK(thrd_create(&thread, notifier, NULL) == thrd_success);
  while (!ready) CHECK(cnd_wait(&cond, &mutex) == thrd_success);
  CHECK(mtx_unlock(&mutex) == thrd_success);
  CHECK(thrd_join(thread, &result) == thrd_success && result == -3);
  CHECK(mtx_lock(&mutex) == thrd_success);
  struct timespec deadline;
  timespec_get(&deadline, TIME_UTC);
  CHECK(cnd_timedwait(&cond, &mutex, &deadline) == thrd_timedout);
  CHECK(mtx_unlock(&mutex) == thrd_success);

  CHECK(thrd_create(&thread, detached, &done) == thrd_success);
  CHECK(thrd_detach(thread) == thrd_success);
  const struct timespec millisecond = {0, 1000000};
  while (!__atomic_load_n(&done, __ATOMIC_ACQUIRE)) CHECK(thrd_sleep(&millisecond, NULL) == 0);
  const struct timespec bad = {0, -1};
  CHECK(thrd_sleep(&bad, NULL) < -1);
  thrd_yield();

  call_once(&flag, count_once);
  call_once(&flag, count_once);
  CHECK(once_runs == 1);
  mtx_destroy(&mutex);
  cnd_destroy(&cond);
  puts("ok");
  return 0;
}
