// WHAT    A timed lock may fail, and the counter behind it is changed anyway.
// EXPECT  failure exit
// WITHIN  strategy portfolio runs 2000 seed 1
// REPLAYS 20/20
// CLASS   sleep-as-synchronisation
// MIN_PREEMPTIONS 0
// DECISIVE work, work
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int counter;

static void* work(void* unused) {
  struct timespec deadline;
  clock_gettime(CLOCK_REALTIME, &deadline);
  deadline.tv_nsec += 20 * 1000 * 1000;
  if (deadline.tv_nsec >= 1000000000) {
    deadline.tv_sec++;
    deadline.tv_nsec -= 1000000000;
  }
  const int result = pthread_mutex_timedlock(&lock, &deadline);
  const int before = counter;
  usleep(1000);
  counter = before + 1;
  if (result == 0) pthread_mutex_unlock(&lock);
  return unused;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, NULL, work, NULL);
  pthread_create(&second, NULL, work, NULL);
  pthread_join(first, NULL);
  pthread_join(second, NULL);
  if (counter == 2) return 0;
  fprintf(stderr, "counter is %d\n", counter);
  return 1;
}
