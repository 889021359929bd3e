// WHAT    A timer that is a descriptor ticks in a loop around epoll_wait, and alone in a poll; both have
//         a timeout as a safety net, hundreds of times as long.
// EXPECT  pass
// WITHIN  strategy every runs 20 seed 1
#include <assert.h>
#include <poll.h>
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/epoll.h>
#include <sys/timerfd.h>
#include <unistd.h>

static void* ticks(void* unused) {
  const int timer = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK);
  const int set = epoll_create1(0);
  const struct itimerspec time = {{0, 1000000}, {0, 1000000}};
  timerfd_settime(timer, 0, &time, NULL);
  struct epoll_event event = {.events = EPOLLIN};
  epoll_ctl(set, EPOLL_CTL_ADD, timer, &event);
  for (uint64_t seen = 0; seen < 3;) {
    assert(epoll_wait(set, &event, 1, 900) == 1);
    uint64_t count;
    if (read(timer, &count, sizeof count) == sizeof count) seen += count;
  }
  close(set);
  close(timer);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, ticks, NULL);
  const int timer = timerfd_create(CLOCK_MONOTONIC, 0);
  const struct itimerspec time = {{0, 0}, {0, 2000000}};
  timerfd_settime(timer, 0, &time, NULL);
  struct pollfd descriptor = {timer, POLLIN, 0};
  assert(poll(&descriptor, 1, 900) == 1);
  pthread_join(thread, NULL);
  close(timer);
  return 0;
}
