// WHAT    Waits that a handler ends, and waits that go on after it: semaphore, sleep, pipe, poll, with and without SA_RESTART; a
//         handler that posts; the wrong end of a pipe.
// EXPECT  pass
// WITHIN  strategy every runs 40 seed 1
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

static atomic_int handled;
static atomic_int enough;
static sem_t posted;
static pthread_t target;

static void count(int number) {
  (void)number;
  handled++;
}

static void post(int number) {
  (void)number;
  sem_post(&posted);
}

static void* keep_sending(void* process) {
  while (!enough) {
    usleep(20000);
    if (process != NULL) {
      kill(getpid(), SIGUSR1);
    } else {
      pthread_kill(target, SIGUSR1);
    }
  }
  return NULL;
}

static void* answer(void* descriptor) {
  usleep(30000);
  pthread_kill(target, SIGUSR2);
  usleep(30000);
  assert(write(*(int*)descriptor, "x", 1) == 1);
  return NULL;
}

static void* send_once(void* unused) {
  pthread_kill(target, SIGHUP);
  return unused;
}

static void begin_sending(pthread_t* sender, void* process) {
  enough = 0;
  pthread_create(sender, NULL, keep_sending, process);
}

static void end_sending(pthread_t sender) {
  enough = 1;
  pthread_join(sender, NULL);
}

int main(void) {
  struct sigaction ends = {.sa_handler = count};
  struct sigaction restarts = {.sa_handler = count, .sa_flags = SA_RESTART};
  struct sigaction posts = {.sa_handler = post};
  sigaction(SIGUSR1, &ends, NULL);
  sigaction(SIGUSR2, &restarts, NULL);
  sigaction(SIGHUP, &posts, NULL);
  target = pthread_self();
  sem_init(&posted, 0, 0);
  pthread_t sender;

  begin_sending(&sender, NULL);
  assert(sem_wait(&posted) == -1 && errno == EINTR);
  end_sending(sender);
  assert(handled >= 1);

  begin_sending(&sender, &handled);
  struct timespec request = {100, 0};
  struct timespec rest = {0, 0};
  assert(nanosleep(&request, &rest) == -1 && errno == EINTR);
  end_sending(sender);
  assert(rest.tv_sec > 50 && rest.tv_sec < 100);

  int ends_of_pipe[2];
  char byte = 0;
  assert(pipe(ends_of_pipe) == 0);
  begin_sending(&sender, NULL);
  assert(read(ends_of_pipe[0], &byte, 1) == -1 && errno == EINTR);
  struct pollfd wanted = {ends_of_pipe[0], POLLIN, 0};
  assert(poll(&wanted, 1, -1) == -1 && errno == EINTR);
  assert(poll(NULL, 0, 100000) == -1 && errno == EINTR);
  end_sending(sender);

  pthread_create(&sender, NULL, answer, &ends_of_pipe[1]);
  assert(read(ends_of_pipe[0], &byte, 1) == 1 && byte == 'x');  // goes on after the handler
  pthread_join(sender, NULL);

  pthread_create(&sender, NULL, send_once, NULL);
  while (sem_wait(&posted) != 0) assert(errno == EINTR);
  pthread_join(sender, NULL);

  assert(write(ends_of_pipe[0], "x", 1) == -1 && errno == EBADF);
  assert(read(ends_of_pipe[1], &byte, 1) == -1 && errno == EBADF);
  return 0;
}
