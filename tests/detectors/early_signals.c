/* Signals come all the time, also to threads that have only just begun. Their handlers' accesses are the threads' own. */
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/time.h>

static atomic_int handled;
static __thread int own;

static void handle(int signal) {
  (void)signal;
  own++;
  atomic_fetch_add(&handled, 1);
}

static void* begin(void* argument) {
  own++;
  return argument;
}

int main(void) {
  struct sigaction action = {.sa_handler = handle, .sa_flags = SA_RESTART};
  sigaction(SIGALRM, &action, NULL);
  const struct itimerval often = {{0, 500}, {0, 500}};
  setitimer(ITIMER_REAL, &often, NULL);
  sigset_t alarms;
  sigemptyset(&alarms);
  sigaddset(&alarms, SIGALRM);
  for (int i = 0; i < 200; i++) {
    pthread_t thread;
    /* Only the new thread can take them. */
    if (pthread_create(&thread, NULL, begin, NULL) != 0) return 2;
    pthread_sigmask(SIG_BLOCK, &alarms, NULL);
    pthread_join(thread, NULL);
    pthread_sigmask(SIG_UNBLOCK, &alarms, NULL);
  }
  const struct itimerval never = {{0, 0}, {0, 0}};
  setitimer(ITIMER_REAL, &never, NULL);
  return 0;
}
