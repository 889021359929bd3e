// WHAT    Timers that call a function: with its value, in another thread, with the stack that was asked for, again
//         and again, two at a time, one that waits for the next; one that is deleted calls no more. One that the
//         program does not wait for is no reason to go on.
// EXPECT  pass
// WITHIN  strategy every runs 20 seed 1
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <time.h>
#include <unistd.h>

enum { kLargeStack = 16 << 20 };

static const long kMillisecond = 1000000;
static sem_t called;
static sem_t both;
static atomic_int calls;
static atomic_int sum;
static pthread_t main_thread;

static timer_t make(void (*function)(union sigval), int value, pthread_attr_t* attributes) {
  struct sigevent event = {.sigev_notify = SIGEV_THREAD};
  event.sigev_notify_function = function;
  event.sigev_notify_attributes = attributes;
  event.sigev_value.sival_int = value;
  timer_t timer;
  assert(timer_create(CLOCK_MONOTONIC, &event, &timer) == 0);
  return timer;
}

static void set(timer_t timer, long nanoseconds, long interval) {
  const struct itimerspec time = {{0, interval}, {0, nanoseconds}};
  assert(timer_settime(timer, 0, &time, NULL) == 0);
}

static void add(union sigval value) {
  assert(!pthread_equal(pthread_self(), main_thread));
  sigset_t blocked;
  pthread_sigmask(SIG_BLOCK, NULL, &blocked);
  assert(sigismember(&blocked, SIGUSR1) == 1);
  sum += value.sival_int;
  calls++;
  sem_post(&called);
}

static void add_with_stack(union sigval value) {
  volatile char large[kLargeStack - (1 << 20)];
  large[0] = large[1];
  add(value);
}

// The first that is called waits for the second.
static void meet(union sigval value) {
  (void)value;
  if (calls++ % 2 == 0) {
    while (sem_wait(&both) != 0) assert(errno == EINTR);
  } else {
    sem_post(&both);
  }
  sem_post(&called);
}

static void await(int times) {
  for (int i = 0; i < times; ++i) {
    while (sem_wait(&called) != 0) assert(errno == EINTR);
  }
}

int main(void) {
  main_thread = pthread_self();
  sem_init(&called, 0, 0);
  sem_init(&both, 0, 0);

  const timer_t once = make(add, 3, NULL);
  const timer_t other = make(add, 5, NULL);
  set(once, 2 * kMillisecond, 0);
  set(other, 2 * kMillisecond, 0);
  await(2);
  assert(sum == 8);
  timer_delete(other);

  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, kLargeStack);
  const timer_t large = make(add_with_stack, 1, &attributes);
  pthread_attr_destroy(&attributes);
  set(large, kMillisecond, 0);
  await(1);
  assert(sum == 9);
  timer_delete(large);

  calls = 0;
  const timer_t meeting = make(meet, 0, NULL);
  set(meeting, kMillisecond, kMillisecond);
  await(2);
  timer_delete(meeting);
  usleep(20000);
  while (sem_trywait(&called) == 0) continue;
  sem_post(&both);  // one that was called may still wait

  const struct itimerspec hour = {{0, 0}, {3600, 0}};
  assert(timer_settime(once, 0, &hour, NULL) == 0);
  return 0;
}
