// WHAT    Signals are sent to the process while the thread that sends them has blocked them: one of the
//         others handles them, at a point of its own.
// EXPECT  pass
// WITHIN  strategy every runs 20 seed 1
// CONTROL whole
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <unistd.h>

enum { kThreads = 3, kEach = 3 };

static atomic_int begun, handled, wrong;
static pthread_t sender;

static void handle(int number, siginfo_t* info, void* context) {
  (void)number, (void)context;
  if (info->si_code != SI_USER || pthread_equal(pthread_self(), sender)) wrong++;
  handled++;
}

static void* work(void* unused) {
  begun++;
  while (handled < 2 * kEach) sched_yield();
  return unused;
}

int main(void) {
  sender = pthread_self();
  struct sigaction action = {.sa_sigaction = handle, .sa_flags = SA_SIGINFO | SA_RESTART};
  sigaction(SIGUSR1, &action, NULL);
  sigaction(SIGUSR2, &action, NULL);
  pthread_t threads[kThreads];
  for (int i = 0; i < kThreads; i++) pthread_create(&threads[i], NULL, work, NULL);
  sigset_t set;
  sigfillset(&set);
  pthread_sigmask(SIG_BLOCK, &set, NULL);
  while (begun < kThreads) sched_yield();
  for (int i = 1; i <= kEach; i++) {
    assert(kill(getpid(), SIGUSR1) == 0);
    assert(kill(getpid(), SIGUSR2) == 0);
    while (handled < 2 * i) sched_yield();
  }
  for (int i = 0; i < kThreads; i++) pthread_join(threads[i], NULL);
  assert(handled == 2 * kEach && wrong == 0);
  return 0;
}
