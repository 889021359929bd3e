// WHAT    A timer that is a descriptor ticks in a loop around epoll_wait, and alone in a poll; both have
//         a timeout as a safety net, hundreds of times as long. Another is set to a time of the clock,
//         an hour away, and a child reads a third. What no timer takes is refused.
// EXPECT  pass
// WITHIN  strategy every runs 20 seed 1
// NATIVE  slow
#include <assert.h>
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/epoll.h>
#include <sys/timerfd.h>
#include <sys/wait.h>
#include <time.h>
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

static void* waits_an_hour(void* unused) {
  struct timespec before, after;
  clock_gettime(CLOCK_REALTIME, &before);
  const int timer = timerfd_create(CLOCK_REALTIME, TFD_CLOEXEC);
  struct itimerspec time = {{0, 0}, {before.tv_sec + 3600, before.tv_nsec}};
  assert(timerfd_settime(timer, TFD_TIMER_ABSTIME, &time, NULL) == 0);
  struct itimerspec left;
  assert(timerfd_gettime(timer, &left) == 0 && left.it_value.tv_sec >= 3590);
  uint64_t count = 0;
  assert(read(timer, &count, sizeof count) == sizeof count && count == 1);
  clock_gettime(CLOCK_REALTIME, &after);
  assert(after.tv_sec - before.tv_sec >= 3600);
  assert(timerfd_gettime(timer, &left) == 0 && left.it_value.tv_sec == 0 &&
         left.it_value.tv_nsec == 0);
  time.it_value.tv_nsec = -1;
  assert(timerfd_settime(timer, 0, &time, NULL) == -1 && errno == EINVAL);
  time.it_value.tv_nsec = 0;
  assert(timerfd_settime(timer, 0xff, &time, NULL) == -1 && errno == EINVAL);
  assert(write(timer, &count, sizeof count) == -1 && errno == EINVAL);
  close(timer);
  return unused;
}

static void child_reads(void) {
  const int timer = timerfd_create(CLOCK_MONOTONIC, 0);
  const struct itimerspec time = {{0, 0}, {0, 1000000}};
  timerfd_settime(timer, 0, &time, NULL);
  const pid_t child = fork();
  if (child == 0) {
    uint64_t count;
    _exit(read(timer, &count, sizeof count) == sizeof count && count == 1 ? 0 : 1);
  }
  int status;
  assert(waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0);
  close(timer);
}

int main(void) {
  child_reads();
  pthread_t thread, hour;
  pthread_create(&thread, NULL, ticks, NULL);
  pthread_create(&hour, NULL, waits_an_hour, NULL);
  const int timer = timerfd_create(CLOCK_MONOTONIC, 0);
  const struct itimerspec time = {{0, 0}, {0, 2000000}};
  timerfd_settime(timer, 0, &time, NULL);
  struct pollfd descriptor = {timer, POLLIN, 0};
  assert(poll(&descriptor, 1, 900) == 1);
  pthread_join(thread, NULL);
  pthread_join(hour, NULL);
  close(timer);
  return 0;
}
