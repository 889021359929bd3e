// WHAT    A handler of the alarm takes the lock of the statistics. It may come while the thread that it interrupts
//         is about to write them down, with that lock held, and waits for who has the file.
// EXPECT  failure deadlock
// WITHIN  strategy portfolio runs 100 seed 1
// REPLAYS 10/10
// CLASS   deadlock
// FIXED   Block the alarm while the lock is held, or only note it in the handler.
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <sys/time.h>
#include <unistd.h>

static pthread_mutex_t statistics = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t file = PTHREAD_MUTEX_INITIALIZER;
static int ticks;

static void on_alarm(int number) {
  (void)number;
  pthread_mutex_lock(&statistics);
  ticks++;
  pthread_mutex_unlock(&statistics);
}

static void* rotate_file(void* unused) {
  pthread_mutex_lock(&file);
  usleep(5000);
  pthread_mutex_unlock(&file);
  return unused;
}

int main(void) {
  signal(SIGALRM, on_alarm);
  pthread_t thread;
  pthread_create(&thread, NULL, rotate_file, NULL);
  const struct itimerval often = {{0, 2000}, {0, 2000}};
  setitimer(ITIMER_REAL, &often, NULL);
  for (int i = 0; i < 3; ++i) {
    pthread_mutex_lock(&statistics);
    pthread_mutex_lock(&file);
    pthread_mutex_unlock(&file);
    pthread_mutex_unlock(&statistics);
  }
  const struct itimerval never = {{0, 0}, {0, 0}};
  setitimer(ITIMER_REAL, &never, NULL);
  pthread_join(thread, NULL);
  return 0;
}
