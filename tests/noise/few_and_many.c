// Few unprotected accesses of one kind and many of the other, as Fiedor et al. (2014, §4.3) say of t04 and t05. The few come
// first: main lets the others go, touches the place at once, and waits for them; they touch it again and again.
//
// With FEW_WRITES, t04's way round: thirty writes, each before the reads of ten threads. Else t05's: each of ten items is read
// once, before its thread writes it and is joined.
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>

enum { kThreads = 10, kRounds = 30, kMany = 10 };

static int items[kThreads];
static int sums[kThreads];
static sem_t go[kThreads];
static sem_t done;

static void* work(void* number) {
  const long self = (long)number;
#ifdef FEW_WRITES
  for (int round = 0; round < kRounds; round++) {
    sem_wait(&go[self]);
    for (int i = 0; i < kMany; i++) sums[self] += items[0];
    sem_post(&done);
  }
#else
  sem_wait(&go[self]);
  for (int i = 0; i < kMany; i++) items[self] = i;
#endif
  return NULL;
}

int main(void) {
  pthread_t threads[kThreads];
  sem_init(&done, 0, 0);
  for (long i = 0; i < kThreads; i++) {
    sem_init(&go[i], 0, 0);
    if (pthread_create(&threads[i], NULL, work, (void*)i) != 0) abort();
  }
#ifdef FEW_WRITES
  for (int round = 0; round < kRounds; round++) {
    for (int i = 0; i < kThreads; i++) sem_post(&go[i]);
    items[0] = round;
    for (int i = 0; i < kThreads; i++) sem_wait(&done);
  }
  for (int i = 0; i < kThreads; i++) pthread_join(threads[i], NULL);
#else
  for (int i = 0; i < kThreads; i++) {
    sem_post(&go[i]);
    sums[i] = items[i];
    pthread_join(threads[i], NULL);
  }
#endif
  int sum = 0;
  for (int i = 0; i < kThreads; i++) sum += sums[i];
  return sum < 0;
}
