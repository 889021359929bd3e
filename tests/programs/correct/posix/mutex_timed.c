// WHAT    Timed locks on both clocks time out while another holds the lock, and not before the
//         deadline.
// EXPECT  pass
// WITHIN  strategy every runs 40 seed 1
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <time.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static struct timespec in_milliseconds(clockid_t clock, long milliseconds) {
  struct timespec time;
  clock_gettime(clock, &time);
  time.tv_nsec += milliseconds * 1000000;
  if (time.tv_nsec >= 1000000000) {
    time.tv_sec++;
    time.tv_nsec -= 1000000000;
  }
  return time;
}

static int reached(clockid_t clock, struct timespec deadline) {
  struct timespec now;
  clock_gettime(clock, &now);
  return now.tv_sec > deadline.tv_sec ||
         (now.tv_sec == deadline.tv_sec && now.tv_nsec >= deadline.tv_nsec);
}

static void* try_to_lock(void* unused) {
  struct timespec deadline = in_milliseconds(CLOCK_REALTIME, 3);
  assert(pthread_mutex_timedlock(&lock, &deadline) == ETIMEDOUT);
  assert(reached(CLOCK_REALTIME, deadline));
  deadline = in_milliseconds(CLOCK_MONOTONIC, 3);
  assert(pthread_mutex_clocklock(&lock, CLOCK_MONOTONIC, &deadline) == ETIMEDOUT);
  assert(reached(CLOCK_MONOTONIC, deadline));
  deadline.tv_nsec = 1000000000;
  assert(pthread_mutex_timedlock(&lock, &deadline) == EINVAL);
  return unused;
}

int main(void) {
  pthread_mutex_lock(&lock);
  pthread_t thread;
  pthread_create(&thread, NULL, try_to_lock, NULL);
  pthread_join(thread, NULL);
  pthread_mutex_unlock(&lock);
  const struct timespec deadline = in_milliseconds(CLOCK_REALTIME, 3);
  assert(pthread_mutex_timedlock(&lock, &deadline) == 0);
  pthread_mutex_unlock(&lock);
  return 0;
}
