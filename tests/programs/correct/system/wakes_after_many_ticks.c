// WHAT    All threads wait while an alarm goes off every millisecond; its handler counts, and wakes them at last.
// EXPECT  pass
// WITHIN  strategy random runs 2 seed 1
// NATIVE  slow
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stddef.h>
#include <sys/time.h>

enum { kTicks = 11000 };

static sem_t woken;
static volatile sig_atomic_t ticks;

static void on_alarm(int number) {
  (void)number;
  ticks = ticks + 1;
  if (ticks == kTicks) sem_post(&woken);
}

static void* wait_for_it(void* unused) {
  while (sem_wait(&woken) != 0) assert(errno == EINTR);
  return unused;
}

int main(void) {
  sem_init(&woken, 0, 0);
  signal(SIGALRM, on_alarm);
  const struct itimerval every_millisecond = {{0, 1000}, {0, 1000}};
  setitimer(ITIMER_REAL, &every_millisecond, NULL);
  pthread_t thread;
  pthread_create(&thread, NULL, wait_for_it, NULL);
  pthread_join(thread, NULL);
  assert(ticks >= kTicks);
  return 0;
}
