// WHAT    A thread polls a timer that is a descriptor; others sleep until almost the time of its ticks,
//         some nanoseconds apart. Who is first is a matter of virtual nanoseconds.
// EXPECT  pass
// WITHIN  strategy every runs 20 seed 1
#define _GNU_SOURCE
#include <assert.h>
#include <poll.h>
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

enum { kSleepers = 6, kRounds = 4, kMillisecond = 1000000 };

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static struct timespec begin;
static uint64_t ticks;

static struct timespec after(long nanoseconds) {
  const long all = begin.tv_nsec + nanoseconds;
  return (struct timespec){begin.tv_sec + all / 1000000000, all % 1000000000};
}

static void* sleeps(void* number) {
  const long later = 20 * (intptr_t)number * (intptr_t)number;
  for (int i = 1; i <= kRounds; i++) {
    const struct timespec until = after(i * kMillisecond + later);
    clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL);
    pthread_mutex_lock(&mutex);
    ticks++;
    pthread_mutex_unlock(&mutex);
  }
  return NULL;
}

int main(void) {
  clock_gettime(CLOCK_MONOTONIC, &begin);
  const int timer = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK);
  const struct itimerspec time = {{0, kMillisecond}, after(kMillisecond)};
  assert(timerfd_settime(timer, TFD_TIMER_ABSTIME, &time, NULL) == 0);
  pthread_t threads[kSleepers];
  for (intptr_t i = 0; i < kSleepers; i++) pthread_create(&threads[i], NULL, sleeps, (void*)i);
  for (uint64_t seen = 0; seen < kRounds;) {
    struct pollfd descriptor = {timer, POLLIN, 0};
    assert(poll(&descriptor, 1, 900) == 1);
    uint64_t count;
    assert(read(timer, &count, sizeof count) == sizeof count);
    seen += count;
  }
  for (int i = 0; i < kSleepers; i++) pthread_join(threads[i], NULL);
  assert(ticks == kSleepers * kRounds);
  close(timer);
  return 0;
}
