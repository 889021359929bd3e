// WHAT    select leaves in its timeout what is left of it, as Linux does: a loop that reads for so long in all, one that nobody
//         ends, one that a handler ends, and one that has nothing to wait for.
// EXPECT  pass
// WITHIN  strategy every runs 20 seed 1
// NATIVE  slow
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/select.h>
#include <sys/time.h>
#include <unistd.h>

enum { kBytes = 3 };

static int ends[2];

static void* write_slowly(void* unused) {
  for (int i = 0; i < kBytes; i++) {
    usleep(10000);
    assert(write(ends[1], "x", 1) == 1);
  }
  return unused;
}

static int wait_for_byte(struct timeval* left) {
  fd_set set;
  FD_ZERO(&set);
  FD_SET(ends[0], &set);
  return select(ends[0] + 1, &set, NULL, NULL, left);
}

static long microseconds(struct timeval time) { return time.tv_sec * 1000000L + time.tv_usec; }

static void reads_for_so_long_in_all(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, write_slowly, NULL);
  struct timeval left = {2, 500000};
  int bytes = 0;
  for (long before = microseconds(left); before != 0; before = microseconds(left)) {
    char byte;
    const int ready = wait_for_byte(&left);
    assert(ready >= 0 && microseconds(left) <= before);
    if (ready == 1 && read(ends[0], &byte, 1) == 1) ++bytes;
    if (ready == 0) assert(microseconds(left) == 0);
  }
  assert(bytes == kBytes);
  pthread_join(thread, NULL);
}

static void on_alarm(int number) { (void)number; }

static void ended_by_a_handler(void) {
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_handler = on_alarm;
  sigaction(SIGALRM, &action, NULL);
  const struct itimerval soon = {{0, 0}, {0, 20000}};
  setitimer(ITIMER_REAL, &soon, NULL);
  struct timeval left = {1000, 0};
  assert(wait_for_byte(&left) == -1 && errno == EINTR);
  assert(microseconds(left) > 0 && microseconds(left) < 1000000000L - 10000);
}

int main(void) {
  assert(pipe(ends) == 0);
  reads_for_so_long_in_all();
  struct timeval nothing = {0, 20000};
  assert(select(0, NULL, NULL, NULL, &nothing) == 0 && microseconds(nothing) == 0);
  struct timeval at_once = {100, 0};
  assert(write(ends[1], "x", 1) == 1 && wait_for_byte(&at_once) == 1);
  assert(microseconds(at_once) > 0 && microseconds(at_once) <= 100000000L);
  char byte;
  assert(read(ends[0], &byte, 1) == 1);
  ended_by_a_handler();
  return 0;
}
