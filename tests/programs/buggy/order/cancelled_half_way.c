// WHAT    A thread is cancelled between two halves of an update, and has no clean-up handler.
// EXPECT  failure exit
// WITHIN  strategy portfolio runs 500 seed 1
// REPLAYS 20/20
// CLASS   order violation
// MIN_PREEMPTIONS 0
// DECISIVE update, main
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

static atomic_int low, high;

static void* update(void* unused) {
  low = 1;
  pthread_testcancel();  // as any blocking call here would be
  high = 1;
  return unused;
}

int main(void) {
  pthread_t updater;
  pthread_create(&updater, NULL, update, NULL);
  pthread_cancel(updater);
  pthread_join(updater, NULL);
  if (low == high) return 0;
  fprintf(stderr, "half an update was left behind\n");
  return 1;
}
