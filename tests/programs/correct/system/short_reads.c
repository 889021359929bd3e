// WHAT    Reads without room for what comes from a counter, a timer or a signal descriptor fail at once, and one of nothing
//         succeeds: nobody waits, though nothing is there to be read.
// EXPECT  pass
// WITHIN  strategy every runs 20 seed 1
// CONTROL whole
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <sys/timerfd.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

static void* nothing(void* unused) { return unused; }

static void fails(int descriptor, size_t size) {
  char room[sizeof(struct signalfd_siginfo)];
  errno = 0;
  assert(read(descriptor, room, size) == -1 && errno == EINVAL);
  const struct iovec parts[2] = {{room, size / 2}, {room + size / 2, size - size / 2}};
  errno = 0;
  assert(readv(descriptor, parts, 2) == -1 && errno == EINVAL);
  close(descriptor);
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, nothing, NULL);
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGUSR1);
  pthread_sigmask(SIG_BLOCK, &set, NULL);
  fails(eventfd(0, 0), sizeof(uint64_t) - 1);
  fails(timerfd_create(CLOCK_MONOTONIC, 0), sizeof(uint64_t) / 2);
  fails(signalfd(-1, &set, 0), sizeof(struct signalfd_siginfo) - 1);
  int ends[2];
  char room;
  assert(pipe(ends) == 0);
  assert(read(ends[0], &room, 0) == 0);
  pthread_join(thread, NULL);
  return 0;
}
