// WHAT    Two threads increase a plain counter.
// EXPECT  failure exit
// WITHIN  strategy portfolio runs 200 seed 1
// REPLAYS 20/20
// CLASS   data race
// MIN_PREEMPTIONS 1
// DECISIVE increase, increase
#include <pthread.h>
#include <stdio.h>

static int counter;

static void* increase(void* unused) {
  counter++;
  return unused;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, NULL, increase, NULL);
  pthread_create(&second, NULL, increase, NULL);
  pthread_join(first, NULL);
  pthread_join(second, NULL);
  if (counter == 2) return 0;
  fprintf(stderr, "counter is %d\n", counter);
  return 1;
}
