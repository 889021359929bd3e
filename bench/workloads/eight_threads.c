// Eight threads that work under a lock nearly all of the time; now and then each raises a second counter without it. An update
// is lost if another thread comes in there: one preemption is enough. Some 100,000 events lie before the check at the end.
#include <pthread.h>
#include <stdio.h>

enum { kThreads = 8, kRounds = 13000, kEvery = 650 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static long total;
static long careless;

static void* work(void* unused) {
  for (int i = 1; i <= kRounds; i++) {
    pthread_mutex_lock(&lock);
    total++;
    pthread_mutex_unlock(&lock);
    if (i % kEvery == 0) careless++;
  }
  return unused;
}

int main(void) {
  pthread_t threads[kThreads];
  for (int i = 0; i < kThreads; i++) pthread_create(&threads[i], NULL, work, NULL);
  for (int i = 0; i < kThreads; i++) pthread_join(threads[i], NULL);
  if (careless == kThreads * kRounds / kEvery) return 0;
  fprintf(stderr, "%ld careless updates were counted\n", careless);
  return 1;
}
