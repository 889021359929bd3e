// WHAT    The alarm of the process, by alarm, ualarm and setitimer: what was left is told, a handler
//         ends waits or lets them go on, intervals go on by themselves, a child has none. A minute
//         costs nothing; an alarm without a handler does not end the program, however far its clock goes.
// EXPECT  pass
// WITHIN  strategy every runs 20 seed 1
// NATIVE  slow
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static atomic_int handled;
static atomic_int code;
static sem_t posted;

static void count(int number) {
  (void)number;
  handled++;
}

static void count_with_code(int number, siginfo_t* info, void* context) {
  (void)context;
  assert(number == SIGALRM && info->si_signo == SIGALRM);
  code = info->si_code;
  handled++;
}

static void post(int number) {
  (void)number;
  sem_post(&posted);
}

static void handle(void (*handler)(int), int flags) {
  const struct sigaction action = {.sa_handler = handler, .sa_flags = flags};
  assert(sigaction(SIGALRM, &action, NULL) == 0);
  handled = 0;
}

static void set(long microseconds, long interval) {
  const struct itimerval time = {{0, interval}, {0, microseconds}};
  assert(setitimer(ITIMER_REAL, &time, NULL) == 0);
}

static int is_set(void) {
  struct itimerval time;
  assert(getitimer(ITIMER_REAL, &time) == 0);
  return time.it_value.tv_sec != 0 || time.it_value.tv_usec != 0;
}

static long milliseconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static void what_is_left(void) {
  handle(count, 0);
  assert(alarm(60) == 0 && is_set());
  assert(alarm(100) == 60);
  struct itimerval time = {{0, 0}, {7, 600000}};
  struct itimerval old;
  assert(setitimer(ITIMER_REAL, &time, &old) == 0);
  assert(old.it_value.tv_sec == 99 && old.it_interval.tv_sec == 0 && old.it_interval.tv_usec == 0);
  assert(alarm(3) == 8);
  assert(ualarm(200000, 300000) > 2000000);
  assert(getitimer(ITIMER_REAL, &time) == 0 && time.it_interval.tv_usec == 300000);
  assert(alarm(0) == 1 && !is_set());
  assert(alarm(0) == 0);
  time.it_value.tv_usec = 1000000;
  errno = 0;
  assert(setitimer(ITIMER_REAL, &time, NULL) == -1 && errno == EINVAL);
  time.it_value.tv_usec = -1;
  assert(setitimer(ITIMER_REAL, &time, NULL) == -1 && errno == EINVAL);
  assert(setitimer((__itimer_which_t)17, &time, NULL) == -1 && errno == EINVAL);
  assert(handled == 0);
}

// Again and again: the first may come before the wait.
static void begin(void) {
  handled = 0;
  set(20000, 20000);
}

static void end(void) {
  assert(errno == EINTR && handled >= 1 && is_set());
  set(0, 0);
}

static void ended_waits(void) {
  handle(count, 0);
  begin();
  assert(sem_wait(&posted) == -1);
  end();

  begin();
  struct timespec request = {100, 0};
  struct timespec rest = {0, 0};
  assert(nanosleep(&request, &rest) == -1 && rest.tv_sec == 99);
  end();

  begin();
  assert(poll(NULL, 0, -1) == -1);
  end();

  begin();
  assert(pause() == -1);
  end();

  sigset_t alarms, before;
  sigemptyset(&alarms);
  sigaddset(&alarms, SIGALRM);
  pthread_sigmask(SIG_BLOCK, &alarms, &before);
  begin();
  usleep(50000);
  assert(handled == 0);
  assert(sigsuspend(&before) == -1);
  end();
  pthread_sigmask(SIG_BLOCK, NULL, &before);
  assert(sigismember(&before, SIGALRM) == 1);
  handled = 0;
  set(20000, 0);
  usleep(50000);
  assert(handled == 0);
  pthread_sigmask(SIG_UNBLOCK, &alarms, NULL);
  assert(handled == 1);
}

static void* post_later(void* unused) {
  usleep(60000);
  sem_post(&posted);
  return unused;
}

static void resumed_waits(void) {
  handle(count, SA_RESTART);
  pthread_t thread;
  set(20000, 0);
  pthread_create(&thread, NULL, post_later, NULL);
  assert(sem_wait(&posted) == 0 && handled == 1);
  pthread_join(thread, NULL);

  begin();
  struct timespec request = {100, 0};
  assert(nanosleep(&request, NULL) == -1);  // never goes on
  end();
}

static void intervals(void) {
  const struct sigaction action = {.sa_sigaction = count_with_code, .sa_flags = SA_SIGINFO};
  assert(sigaction(SIGALRM, &action, NULL) == 0);
  handled = 0;
  const long began = milliseconds();
  set(20000, 30000);
  while (handled < 4) pause();
  set(0, 0);
  const long took = milliseconds() - began;
  assert(took >= 109 && !is_set());
  assert(code == SI_KERNEL);
  const int seen = handled;
  usleep(100000);
  assert(handled == seen);
}

static void* wait_for_post(void* unused) {
  while (sem_wait(&posted) != 0) assert(errno == EINTR);
  return unused;
}

static void handler_posts(void) {
  handle(post, 0);
  pthread_t thread;
  pthread_create(&thread, NULL, wait_for_post, NULL);
  set(3000, 0);
  pthread_join(thread, NULL);

  set(3000, 0);
  struct timespec deadline;
  clock_gettime(CLOCK_REALTIME, &deadline);
  deadline.tv_sec += 5;
  while (sem_timedwait(&posted, &deadline) != 0) assert(errno == EINTR);
}

static void taken_by_waiting(void) {
  signal(SIGALRM, SIG_DFL);
  sigset_t alarms;
  sigemptyset(&alarms);
  sigaddset(&alarms, SIGALRM);
  pthread_sigmask(SIG_BLOCK, &alarms, NULL);
  set(3000, 0);
  int number = 0;
  assert(sigwait(&alarms, &number) == 0 && number == SIGALRM);
  set(3000, 3000);
  const struct timespec patience = {5, 0};
  for (int i = 0; i < 3; ++i) assert(sigtimedwait(&alarms, NULL, &patience) == SIGALRM);
  set(0, 0);
  sigtimedwait(&alarms, NULL, &(struct timespec){0, 0});
  pthread_sigmask(SIG_UNBLOCK, &alarms, NULL);
}

static void child_has_none(void) {
  handle(count, 0);
  alarm(60);
  const pid_t child = fork();
  if (child == 0) {
    assert(!is_set());
    begin();
    assert(pause() == -1);
    end();
    _exit(0);
  }
  int status;
  assert(waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0);
  assert(alarm(0) == 60);
}

// Armed before there is a handler, and with none at all.
static void late_handler(void) {
  signal(SIGALRM, SIG_DFL);
  // Until there is a handler it would end the program, and it runs in real time: long enough for a busy machine.
  const struct itimerval later = {{0, 20000}, {3, 0}};
  assert(setitimer(ITIMER_REAL, &later, NULL) == 0);
  handle(count, 0);
  assert(pause() == -1);
  end();
  signal(SIGALRM, SIG_DFL);
  alarm(50);
  usleep(100000);
  assert(alarm(0) == 50);
}

int main(void) {
  sem_init(&posted, 0, 0);
  what_is_left();
  ended_waits();
  resumed_waits();
  intervals();
  handler_posts();
  taken_by_waiting();
  child_has_none();
  late_handler();
  return 0;
}
