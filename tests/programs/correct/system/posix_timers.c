// WHAT    Timers with a signal of their own: its value and why it came, real-time signals, intervals and
//         what they overran, times of a clock, one for a thread, one for nobody, one that is
//         waited for, one that is stopped in time; a child has none of them.
// EXPECT  pass
// WITHIN  strategy every runs 20 seed 1
// NATIVE  slow
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#ifndef sigev_notify_thread_id
#define sigev_notify_thread_id _sigev_un._tid
#endif

static const long kMillisecond = 1000000;

static atomic_int handled;
static atomic_int value;
static atomic_int overrun;
static atomic_int in_thread;
static sem_t posted;

static void on_signal(int number, siginfo_t* info, void* context) {
  (void)context;
  assert(info->si_signo == number && info->si_code == SI_TIMER);
  value = info->si_value.sival_int;
  overrun = info->si_overrun;
  in_thread = (int)syscall(SYS_gettid);
  handled++;
}

static void handle(int number, int flags) {
  const struct sigaction action = {.sa_sigaction = on_signal, .sa_flags = SA_SIGINFO | flags};
  assert(sigaction(number, &action, NULL) == 0);
  handled = 0;
}

static timer_t make(clockid_t clock, int number, int sent) {
  struct sigevent event = {.sigev_notify = number == 0 ? SIGEV_NONE : SIGEV_SIGNAL};
  event.sigev_signo = number;
  event.sigev_value.sival_int = sent;
  timer_t timer;
  assert(timer_create(clock, &event, &timer) == 0);
  return timer;
}

static void set(timer_t timer, long nanoseconds, long interval) {
  const struct itimerspec time = {{0, interval}, {0, nanoseconds}};
  assert(timer_settime(timer, 0, &time, NULL) == 0);
}

static int is_set(timer_t timer) {
  struct itimerspec time;
  assert(timer_gettime(timer, &time) == 0);
  return time.it_value.tv_sec != 0 || time.it_value.tv_nsec != 0;
}

static void values(void) {
  const int numbers[] = {SIGUSR1, SIGRTMIN + 2};
  for (int i = 0; i < 2; ++i) {
    handle(numbers[i], 0);
    const timer_t timer = make(CLOCK_MONOTONIC, numbers[i], 40 + i);
    set(timer, 3 * kMillisecond, 0);
    while (handled == 0) usleep(1000);
    assert(handled == 1 && value == 40 + i && overrun == 0 && !is_set(timer));
    assert(timer_delete(timer) == 0);
    assert(timer_delete(timer) == -1 && errno == EINVAL);
  }
}

static void two_with_one_signal(void) {
  handle(SIGUSR1, 0);
  const timer_t first = make(CLOCK_MONOTONIC, SIGUSR1, 1);
  const timer_t second = make(CLOCK_REALTIME, SIGUSR1, 2);
  set(first, 3 * kMillisecond, 0);
  set(second, 3 * kMillisecond, 0);
  while (handled < 2) usleep(1000);
  timer_delete(first);
  timer_delete(second);
}

static void on_the_clock(void) {
  handle(SIGUSR1, 0);
  struct timespec before, after;
  clock_gettime(CLOCK_REALTIME, &before);
  const timer_t timer = make(CLOCK_REALTIME, SIGUSR1, 1);
  struct itimerspec time = {{0, 0}, {before.tv_sec + 2, before.tv_nsec}};
  struct itimerspec old;
  assert(timer_settime(timer, TIMER_ABSTIME, &time, &old) == 0 && old.it_value.tv_sec == 0);
  assert(timer_gettime(timer, &time) == 0 && time.it_value.tv_sec == 1);
  assert(sem_wait(&posted) == -1 && errno == EINTR);
  clock_gettime(CLOCK_REALTIME, &after);
  assert(after.tv_sec - before.tv_sec >= 2);
  time.it_value = before;  // long past: at once
  handled = 0;
  assert(timer_settime(timer, TIMER_ABSTIME, &time, NULL) == 0 && handled == 1);
  time.it_value.tv_nsec = 1000000000;
  assert(timer_settime(timer, 0, &time, NULL) == -1 && errno == EINVAL);
  timer_delete(timer);
}

static void what_was_overrun(void) {
  handle(SIGRTMIN, 0);
  sigset_t set_of_one;
  sigemptyset(&set_of_one);
  sigaddset(&set_of_one, SIGRTMIN);
  const timer_t timer = make(CLOCK_MONOTONIC, SIGRTMIN, 5);
  pthread_sigmask(SIG_BLOCK, &set_of_one, NULL);
  set(timer, 100 * kMillisecond, 100 * kMillisecond);
  usleep(350000);
  assert(handled == 0);
  pthread_sigmask(SIG_UNBLOCK, &set_of_one, NULL);
  assert(handled == 1 && timer_getoverrun(timer) >= 2);
  assert(sem_wait(&posted) == -1 && errno == EINTR && handled == 2);
  struct itimerspec old;
  const struct itimerspec never = {{0, 0}, {0, 0}};
  assert(timer_settime(timer, 0, &never, &old) == 0);
  assert(old.it_interval.tv_nsec == 100 * kMillisecond && old.it_value.tv_nsec > 0);
  usleep(350000);
  assert(handled == 2 && !is_set(timer));
  timer_delete(timer);
}

static void* wait_in_thread(void* unused) {
  struct sigevent event = {.sigev_notify = SIGEV_THREAD_ID, .sigev_signo = SIGUSR2};
  event.sigev_notify_thread_id = (int)syscall(SYS_gettid);
  timer_t timer;
  assert(timer_create(CLOCK_MONOTONIC, &event, &timer) == 0);
  set(timer, 3 * kMillisecond, 3 * kMillisecond);
  sem_t never;
  sem_init(&never, 0, 0);
  assert(sem_wait(&never) == -1 && errno == EINTR);
  assert(in_thread == (int)syscall(SYS_gettid));
  assert(timer_delete(timer) == 0);
  return unused;
}

static void for_a_thread(void) {
  handle(SIGUSR2, 0);
  pthread_t thread;
  pthread_create(&thread, NULL, wait_in_thread, NULL);
  pthread_join(thread, NULL);
  assert(handled >= 1);
}

static void for_nobody(void) {
  const timer_t timer = make(CLOCK_MONOTONIC, 0, 0);
  set(timer, 50 * kMillisecond, 0);
  assert(is_set(timer));
  usleep(100000);
  assert(!is_set(timer));
  timer_delete(timer);
}

static void waited_for(void) {
  sigset_t set_of_one;
  sigemptyset(&set_of_one);
  sigaddset(&set_of_one, SIGRTMIN + 1);
  pthread_sigmask(SIG_BLOCK, &set_of_one, NULL);
  const timer_t timer = make(CLOCK_MONOTONIC, SIGRTMIN + 1, 77);
  set(timer, 2 * kMillisecond, 2 * kMillisecond);
  siginfo_t info;
  for (int i = 0; i < 5; ++i) {
    assert(sigwaitinfo(&set_of_one, &info) == SIGRTMIN + 1);
    assert(info.si_code == SI_TIMER && info.si_value.sival_int == 77);
  }
  timer_delete(timer);
  while (sigtimedwait(&set_of_one, NULL, &(struct timespec){0, 0}) > 0) continue;
  pthread_sigmask(SIG_UNBLOCK, &set_of_one, NULL);
}

static void stopped_in_time(void) {
  handle(SIGUSR1, 0);
  const timer_t timer = make(CLOCK_MONOTONIC, SIGUSR1, 1);
  set(timer, 900 * kMillisecond, 0);
  usleep(10000);
  set(timer, 0, 0);
  const timer_t other = make(CLOCK_MONOTONIC, SIGUSR1, 1);
  set(other, 900 * kMillisecond, 0);
  timer_delete(other);
  sleep(2);
  assert(handled == 0);
  timer_delete(timer);
}

static void child_has_none(void) {
  handle(SIGUSR1, 0);
  const timer_t timer = make(CLOCK_MONOTONIC, SIGUSR1, 1);
  set(timer, 900 * kMillisecond, 0);
  const pid_t child = fork();
  if (child == 0) {
    struct itimerspec time;
    assert(timer_gettime(timer, &time) == -1 && errno == EINVAL);
    const timer_t own = make(CLOCK_MONOTONIC, SIGUSR1, 3);
    set(own, 3 * kMillisecond, 3 * kMillisecond);
    assert(pause() == -1 && handled >= 1 && value == 3);
    _exit(0);
  }
  int status;
  while (waitpid(child, &status, 0) != child) assert(errno == EINTR);
  assert(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  timer_delete(timer);
}

int main(void) {
  sem_init(&posted, 0, 0);
  values();
  two_with_one_signal();
  on_the_clock();
  what_was_overrun();
  for_a_thread();
  for_nobody();
  waited_for();
  stopped_in_time();
  child_has_none();
  return 0;
}
