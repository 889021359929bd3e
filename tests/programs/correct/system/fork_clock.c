// WHAT    In a forked child the clocks go on from where its parent's were, and every wait until a time of
//         such a clock ends when that has come.
// EXPECT  pass
// WITHIN  strategy every runs 3 seed 1
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <linux/futex.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { kShort = 3000000, kHour = 3600 };

static struct timespec now(clockid_t clock) {
  struct timespec read;
  assert(clock_gettime(clock, &read) == 0);
  return read;
}

static struct timespec soon(clockid_t clock) {
  struct timespec time = now(clock);
  time.tv_nsec += kShort;
  if (time.tv_nsec >= 1000000000) {
    time.tv_nsec -= 1000000000;
    time.tv_sec++;
  }
  return time;
}

static int has_come(clockid_t clock, struct timespec time) {
  const struct timespec read = now(clock);
  return read.tv_sec > time.tv_sec || (read.tv_sec == time.tv_sec && read.tv_nsec >= time.tv_nsec);
}

static void* wait_for(void* semaphore) {
  while (sem_wait(semaphore) != 0) {
  }
  return NULL;
}

static void locks(clockid_t clock) {
  pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
  pthread_mutex_lock(&mutex);
  struct timespec time = soon(clock);
  assert(pthread_mutex_clocklock(&mutex, clock, &time) == ETIMEDOUT && has_come(clock, time));
  pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
  time = soon(clock);
  assert(pthread_cond_clockwait(&cond, &mutex, clock, &time) == ETIMEDOUT && has_come(clock, time));
  pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
  pthread_rwlock_rdlock(&lock);
  time = soon(clock);
  assert(pthread_rwlock_clockwrlock(&lock, clock, &time) == ETIMEDOUT && has_come(clock, time));
  sem_t semaphore;
  sem_init(&semaphore, 0, 0);
  time = soon(clock);
  assert(sem_clockwait(&semaphore, clock, &time) == -1 && errno == ETIMEDOUT);
  assert(has_come(clock, time));
  pthread_t thread;
  pthread_create(&thread, NULL, wait_for, &semaphore);
  time = soon(clock);
  assert(pthread_clockjoin_np(thread, NULL, clock, &time) == ETIMEDOUT && has_come(clock, time));
  sem_post(&semaphore);
  pthread_join(thread, NULL);
}

static void sleeps(clockid_t clock) {
  static int word;
  const int wall = clock == CLOCK_REALTIME ? FUTEX_CLOCK_REALTIME : 0;
  const struct timespec until = soon(clock);
  assert(syscall(SYS_futex, &word, FUTEX_WAIT_BITSET | wall, 0, &until, NULL, -1) == -1);
  assert(errno == ETIMEDOUT && has_come(clock, until));

  struct timespec time = soon(clock);
  assert(clock_nanosleep(clock, TIMER_ABSTIME, &time, NULL) == 0 && has_come(clock, time));

  const int descriptor = timerfd_create(clock, 0);
  struct itimerspec once = {{0, 0}, soon(clock)};
  assert(timerfd_settime(descriptor, TFD_TIMER_ABSTIME, &once, NULL) == 0);
  unsigned long long count;
  assert(read(descriptor, &count, sizeof count) == sizeof count && has_come(clock, once.it_value));
  close(descriptor);

  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGUSR1);
  sigprocmask(SIG_BLOCK, &set, NULL);
  struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGUSR1};
  timer_t timer;
  assert(timer_create(clock, &event, &timer) == 0);
  once.it_value = soon(clock);
  assert(timer_settime(timer, TIMER_ABSTIME, &once, NULL) == 0);
  int number;
  assert(sigwait(&set, &number) == 0 && has_come(clock, once.it_value));
  timer_delete(timer);
}

int main(void) {
  usleep(1000);
  const struct timespec monotonic = now(CLOCK_MONOTONIC);
  const struct timespec wall = now(CLOCK_REALTIME);
  const pid_t child = fork();
  if (child == 0) {
    assert(has_come(CLOCK_MONOTONIC, monotonic) && has_come(CLOCK_REALTIME, wall));
    assert(now(CLOCK_MONOTONIC).tv_sec - monotonic.tv_sec < kHour);
    assert(time(NULL) >= wall.tv_sec && time(NULL) - wall.tv_sec < kHour);
    struct timeval day;
    assert(gettimeofday(&day, NULL) == 0 && day.tv_sec >= wall.tv_sec);
    locks(CLOCK_REALTIME);
    locks(CLOCK_MONOTONIC);
    sleeps(CLOCK_REALTIME);
    sleeps(CLOCK_MONOTONIC);
    _exit(0);
  }
  int status = 1;
  assert(waitpid(child, &status, 0) == child);
  return status == 0 ? 0 : 1;
}
