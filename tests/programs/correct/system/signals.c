// WHAT    Signals: a handler in the right thread, a mask per thread, sigwait.
// EXPECT  pass
// WITHIN  strategy every runs 40 seed 1
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int handled;
static pthread_t handler_thread;

static void handle(int number) {
  (void)number;
  handler_thread = pthread_self();
  handled++;
}

static void* raise_own(void* unused) {
  assert(pthread_kill(pthread_self(), SIGUSR1) == 0);
  assert(handled == 1 && pthread_equal(handler_thread, pthread_self()));
  return unused;
}

static void* wait_for_signal(void* unused) {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGUSR2);
  int number = 0;
  assert(sigwait(&set, &number) == 0 && number == SIGUSR2);
  return unused;
}

int main(void) {
  struct sigaction action = {.sa_handler = handle};
  sigaction(SIGUSR1, &action, NULL);
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGUSR2);
  pthread_sigmask(SIG_BLOCK, &set, NULL);
  pthread_t raiser, waiter;
  pthread_create(&raiser, NULL, raise_own, NULL);
  pthread_create(&waiter, NULL, wait_for_signal, NULL);
  pthread_kill(waiter, SIGUSR2);
  pthread_join(raiser, NULL);
  pthread_join(waiter, NULL);
  return 0;
}
