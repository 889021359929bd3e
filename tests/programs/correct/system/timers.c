// WHAT    Timers wake threads: an interval timer through a handler that posts, with
//         and without a timeout on the wait, and one that calls a function in a thread of its own.
// EXPECT  pass
// WITHIN  strategy every runs 20 seed 1
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stddef.h>
#include <sys/time.h>
#include <time.h>

static sem_t posted;

static void on_alarm(int signal) {
  (void)signal;
  sem_post(&posted);
}

static void on_timer(union sigval value) {
  (void)value;
  sem_post(&posted);
}

static void* wait_for_post(void* unused) {
  while (sem_wait(&posted) != 0) assert(errno == EINTR);
  return unused;
}

int main(void) {
  sem_init(&posted, 0, 0);
  signal(SIGALRM, on_alarm);
  const struct itimerval soon = {.it_value = {.tv_usec = 3000}};

  pthread_t thread;
  pthread_create(&thread, NULL, wait_for_post, NULL);
  setitimer(ITIMER_REAL, &soon, NULL);
  pthread_join(thread, NULL);

  setitimer(ITIMER_REAL, &soon, NULL);
  struct timespec deadline;
  clock_gettime(CLOCK_REALTIME, &deadline);
  deadline.tv_sec += 5;
  while (sem_timedwait(&posted, &deadline) != 0) assert(errno == EINTR);

  timer_t timer;
  struct sigevent event = {.sigev_notify = SIGEV_THREAD};
  event.sigev_notify_function = on_timer;
  assert(timer_create(CLOCK_MONOTONIC, &event, &timer) == 0);
  const struct itimerspec later = {.it_value = {.tv_nsec = 2000000}};
  assert(timer_settime(timer, 0, &later, NULL) == 0);
  wait_for_post(NULL);
  timer_delete(timer);
  return 0;
}
