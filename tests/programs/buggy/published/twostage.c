// WHAT    Writers set one value under one lock and its successor under another; a reader between
//         the two stages sees a pair that does not belong together.
// EXPECT  failure crash   sites read_pair
// WITHIN  strategy portfolio runs 2000 seed 1
// REPLAYS 20/20
// CLASS   atomicity
// MIN_PREEMPTIONS 1
// DECISIVE write_pair, read_pair
// PUBLISHED yes
// BUILD   -O0
// VARIANT twostage    -DWRITERS=2 -DREADERS=1
// VARIANT twostage_20 -DWRITERS=10 -DREADERS=10
// VARIANT twostage_50 -DWRITERS=40 -DREADERS=10
// ORIGIN  SCTBench CS.twostage and its larger versions in PERIOD: writers created before readers.
#include <assert.h>
#include <pthread.h>

#ifndef WRITERS
#define WRITERS 2
#define READERS 1
#endif

static pthread_mutex_t lock1 = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t lock2 = PTHREAD_MUTEX_INITIALIZER;
static int value1, value2;

static void* write_pair(void* unused) {
  pthread_mutex_lock(&lock1);
  value1 = 1;
  pthread_mutex_unlock(&lock1);

  pthread_mutex_lock(&lock2);
  value2 = value1 + 1;
  pthread_mutex_unlock(&lock2);
  return unused;
}

static void* read_pair(void* unused) {
  pthread_mutex_lock(&lock1);
  if (value1 == 0) {
    pthread_mutex_unlock(&lock1);
    return unused;
  }
  const int first = value1;
  pthread_mutex_unlock(&lock1);

  pthread_mutex_lock(&lock2);
  const int second = value2;
  pthread_mutex_unlock(&lock2);
  assert(second == first + 1);
  return unused;
}

int main(void) {
  pthread_t writers[WRITERS], readers[READERS];
  for (int i = 0; i < WRITERS; i++) pthread_create(&writers[i], NULL, write_pair, NULL);
  for (int i = 0; i < READERS; i++) pthread_create(&readers[i], NULL, read_pair, NULL);
  for (int i = 0; i < WRITERS; i++) pthread_join(writers[i], NULL);
  for (int i = 0; i < READERS; i++) pthread_join(readers[i], NULL);
  return 0;
}
