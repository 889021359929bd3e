// WHAT    A semaphore meant as a mutex starts at 2.
// EXPECT  failure exit
// WITHIN  strategy portfolio runs 200 seed 1
// REPLAYS 20/20
// CLASS   data race
// MIN_PREEMPTIONS 1
// DECISIVE add, add
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>

enum { kThreads = 2 };

static sem_t mutex;
static int sum;

static void* add(void* unused) {
  sem_wait(&mutex);
  sum = sum + 5;
  sem_post(&mutex);
  return unused;
}

int main(void) {
  sem_init(&mutex, 0, 2);
  pthread_t threads[kThreads];
  for (int i = 0; i < kThreads; i++) pthread_create(&threads[i], NULL, add, NULL);
  for (int i = 0; i < kThreads; i++) pthread_join(threads[i], NULL);
  if (sum == 5 * kThreads) return 0;
  fprintf(stderr, "the sum is %d\n", sum);
  return 1;
}
