// WHAT    A timed wait on either clock ends by its signal or by its deadline, and the predicate
//         decides.
// EXPECT  pass
// WITHIN  strategy every runs 40 seed 1
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdbool.h>
#include <time.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed;
static bool ready;

static void add_milliseconds(struct timespec* time, long milliseconds) {
  time->tv_nsec += milliseconds * 1000000;
  time->tv_sec += time->tv_nsec / 1000000000;
  time->tv_nsec %= 1000000000;
}

// Waits in slices: a slice may end early or late, but ready is seen in the end.
static void* wait_in_slices(void* unused) {
  pthread_mutex_lock(&lock);
  while (!ready) {
    struct timespec deadline, now;
    clock_gettime(CLOCK_MONOTONIC, &deadline);
    add_milliseconds(&deadline, 2);
    const int result = pthread_cond_timedwait(&changed, &lock, &deadline);
    assert(result == 0 || result == ETIMEDOUT);
    if (result == ETIMEDOUT) {
      clock_gettime(CLOCK_MONOTONIC, &now);
      assert(now.tv_sec > deadline.tv_sec ||
             (now.tv_sec == deadline.tv_sec && now.tv_nsec >= deadline.tv_nsec));
    }
  }
  pthread_mutex_unlock(&lock);
  return unused;
}

static void* make_ready(void* unused) {
  pthread_mutex_lock(&lock);
  ready = true;
  pthread_cond_broadcast(&changed);
  pthread_mutex_unlock(&lock);
  return unused;
}

int main(void) {
  pthread_condattr_t attributes;
  pthread_condattr_init(&attributes);
  pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
  pthread_cond_init(&changed, &attributes);
  pthread_t threads[3];
  pthread_create(&threads[0], NULL, wait_in_slices, NULL);
  pthread_create(&threads[1], NULL, wait_in_slices, NULL);
  pthread_create(&threads[2], NULL, make_ready, NULL);
  for (int i = 0; i < 3; i++) pthread_join(threads[i], NULL);

  pthread_mutex_lock(&lock);
  const struct timespec past = {1, 0};
  assert(pthread_cond_timedwait(&changed, &lock, &past) == ETIMEDOUT);
  pthread_mutex_unlock(&lock);
  pthread_cond_destroy(&changed);
  return 0;
}
