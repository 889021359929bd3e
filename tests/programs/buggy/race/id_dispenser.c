// WHAT    Threads draw their number unsynchronised while they start.
// EXPECT  failure exit
// WITHIN  strategy portfolio runs 200 seed 1
// REPLAYS 20/20
// CLASS   data race
// MIN_PREEMPTIONS 1
// DECISIVE start, start
// ORIGIN  Program t03 of Fiedor et al. (2018).
#include <pthread.h>
#include <stdio.h>

enum { kThreads = 4 };

static int next_id;
static int users[kThreads];

static void* start(void* unused) {
  const int id = next_id++;
  __atomic_fetch_add(&users[id], 1, __ATOMIC_SEQ_CST);
  return unused;
}

int main(void) {
  pthread_t threads[kThreads];
  for (int i = 0; i < kThreads; i++) pthread_create(&threads[i], NULL, start, NULL);
  for (int i = 0; i < kThreads; i++) pthread_join(threads[i], NULL);
  for (int i = 0; i < kThreads; i++) {
    if (users[i] != 1) {
      fprintf(stderr, "number %d has %d users\n", i, users[i]);
      return 1;
    }
  }
  return 0;
}
