// WHAT    A thread asks again and again whether its child has ended, has written to a pipe or has set a flag, and sleeps in between,
//         with a limit of 20 seconds: the child takes 30 ms, and the limit is not reached. Nor is that of another thread.
// EXPECT  pass
// WITHIN  strategy every runs 2 seed 1
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { kLimit = 20, kPause = 5000 };  // seconds, microseconds

struct Shared {
  atomic_int flag;
  volatile int plain;
};

static struct Shared* shared;
static int ends[2];
static atomic_int answered;

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static int has_ended(pid_t child) { return waitpid(child, NULL, WNOHANG) == child; }

static int has_ended_by_id(pid_t child) {
  siginfo_t info = {0};
  assert(waitid(P_PID, (id_t)child, &info, WEXITED | WNOHANG) == 0);
  return info.si_pid == child;
}

static int has_written(pid_t child) {
  (void)child;
  char byte;
  const ssize_t got = read(ends[0], &byte, 1);
  assert(got == 1 || errno == EAGAIN);
  return got == 1;
}

static int is_readable(pid_t child) {
  struct pollfd reading = {ends[0], POLLIN, 0};
  return poll(&reading, 1, 0) == 1 && has_written(child);
}

static int has_set_flag(pid_t child) {
  (void)child;
  return atomic_load(&shared->flag);
}

static int has_set_plain(pid_t child) {
  (void)child;
  return shared->plain;
}

// Has a limit, too, and asks no child.
static void* await_answer(void* unused) {
  for (int i = 0; i < kLimit * 100 && !answered; ++i) usleep(10 * 1000);
  assert(answered);
  return unused;
}

static void ask(int (*question)(pid_t)) {
  shared->flag = shared->plain = answered = 0;
  const pid_t child = fork();
  if (child == 0) {
    usleep(30 * 1000);
    shared->flag = 1;
    shared->plain = 1;
    assert(write(ends[1], "k", 1) == 1);
    _exit(0);
  }
  pthread_t other;
  pthread_create(&other, NULL, await_answer, NULL);
  const double began = now();
  while (!question(child)) {
    assert(now() - began < kLimit);
    usleep(kPause);
  }
  answered = 1;
  pthread_join(other, NULL);
  assert(waitpid(child, NULL, 0) == child || errno == ECHILD);
  char byte;
  while (read(ends[0], &byte, 1) == 1) continue;
}

int main(void) {
  shared = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  assert(shared != MAP_FAILED && pipe2(ends, O_NONBLOCK) == 0);
  ask(has_ended);
  ask(has_ended_by_id);
  ask(has_written);
  ask(is_readable);
  ask(has_set_flag);
  ask(has_set_plain);
  return 0;
}
