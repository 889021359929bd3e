// WHAT    The processor's time stamp counter: waited for by sleeping and by spinning, in threads that block all signals, beside a
//         handler for faults, around programs that are started.
// EXPECT  pass
// WITHIN  strategy every runs 20 seed 1
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <spawn.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include <x86intrin.h>

static const uint64_t kTicks = 3000000;
static const uintptr_t kNowhere = 64;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int done;
static sigjmp_buf before_fault;
static volatile uint64_t in_handler;

static void on_fault(int number, siginfo_t* info, void* context) {
  (void)context;
  assert(number == SIGSEGV && info->si_addr == (void*)kNowhere);
  siglongjmp(before_fault, 1);
}

static void on_signal(int number) {
  (void)number;
  in_handler = __rdtsc();
}

static void set_handlers(void) {
  struct sigaction fault = {.sa_sigaction = on_fault, .sa_flags = SA_SIGINFO};
  struct sigaction told;
  assert(sigaction(SIGSEGV, &fault, NULL) == 0);
  assert(sigaction(SIGSEGV, NULL, &told) == 0 && told.sa_sigaction == on_fault);
  struct sigaction other = {.sa_handler = on_signal};
  sigfillset(&other.sa_mask);
  assert(sigaction(SIGUSR1, &other, NULL) == 0);
}

static void fault(void) {
  if (sigsetjmp(before_fault, 1) != 0) return;
  *(volatile int*)kNowhere = 1;
  abort();
}

static void read_in_order(void) {
  unsigned processor;
  errno = 7;
  const uint64_t first = __rdtscp(&processor);
  const uint64_t second = __rdtsc();
  assert(second >= first && errno == 7);
}

static void block_everything(void) {
  sigset_t mask;
  sigfillset(&mask);
  assert(pthread_sigmask(SIG_SETMASK, &mask, NULL) == 0);
  assert(sigprocmask(SIG_BLOCK, NULL, &mask) == 0);
  assert(sigismember(&mask, SIGSEGV) == 1 && sigismember(&mask, SIGUSR1) == 1);
}

static void* sleeps_until_then(void* argument) {
  const struct timespec pause = {0, 200000};
  block_everything();
  const uint64_t begin = __rdtsc();
  while (__rdtsc() - begin < kTicks) nanosleep(&pause, NULL);
  pthread_mutex_lock(&lock);
  ++done;
  pthread_cond_signal(&changed);
  pthread_mutex_unlock(&lock);
  return argument;
}

static void* spins_until_then(void* argument) {
  const uint64_t begin = __rdtsc();
  while (__rdtsc() - begin < kTicks / 10) _mm_pause();
  return argument;
}

// Others read the real counter: their clocks are made of it.
static void start_others(void) {
  int status = -1;
  const pid_t child = fork();
  if (child == 0) {
    struct timespec now;
    read_in_order();
    if (clock_gettime(CLOCK_MONOTONIC, &now) == 0) execl("/bin/date", "date", "+", (char*)NULL);
    _exit(9);
  }
  assert(waitpid(child, &status, 0) == child && status == 0);
  char* const arguments[] = {"date", "+", NULL};
  pid_t spawned;
  assert(posix_spawn(&spawned, "/bin/date", NULL, NULL, arguments, environ) == 0);
  assert(waitpid(spawned, &status, 0) == spawned && status == 0);
}

int main(void) {
  pthread_t sleepers[2], spinner;
  set_handlers();
  read_in_order();
  fault();
  read_in_order();
  assert(raise(SIGUSR1) == 0 && in_handler != 0);
  for (int i = 0; i < 2; ++i)
    assert(pthread_create(&sleepers[i], NULL, sleeps_until_then, NULL) == 0);
  assert(pthread_create(&spinner, NULL, spins_until_then, NULL) == 0);
  pthread_mutex_lock(&lock);
  while (done < 2) pthread_cond_wait(&changed, &lock);
  pthread_mutex_unlock(&lock);
  for (int i = 0; i < 2; ++i) assert(pthread_join(sleepers[i], NULL) == 0);
  assert(pthread_join(spinner, NULL) == 0);
  start_others();
  return 0;
}
