// WHAT    A thread works until an alarm tells it to stop, and does nothing meanwhile that heddle sees: virtual time stands
//         still, so that the alarm comes in real time. Another thread waits for it.
// EXPECT  pass
// WITHIN  strategy random runs 5 seed 1
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <sys/time.h>

static volatile sig_atomic_t enough;

static void on_alarm(int number) {
  (void)number;
  enough = 1;
}

__attribute__((no_sanitize_thread, noinline)) static void work(void) {
  while (!enough) continue;
}

static void* wait_for_work(void* lock) {
  pthread_mutex_lock(lock);
  pthread_mutex_unlock(lock);
  return NULL;
}

int main(void) {
  static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
  signal(SIGALRM, on_alarm);
  const struct itimerval soon = {{0, 0}, {0, 20000}};
  setitimer(ITIMER_REAL, &soon, NULL);
  work();

  enough = 0;
  pthread_mutex_lock(&lock);
  pthread_t thread;
  pthread_create(&thread, NULL, wait_for_work, &lock);
  setitimer(ITIMER_REAL, &soon, NULL);
  work();
  pthread_mutex_unlock(&lock);
  pthread_join(thread, NULL);
  return 0;
}
