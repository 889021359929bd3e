// WHAT    One thread guards a counter by one lock, the others by another: the guard guards nothing.
// EXPECT  failure crash   sites increment_and_check
// WITHIN  strategy portfolio runs 1000 seed 1
// REPLAYS 20/20
// CLASS   data race
// MIN_PREEMPTIONS 1
// DECISIVE increment_and_check, increment
// PUBLISHED wronglock
// BUILD   -O0
// ORIGIN  SCTBench CS.wronglock: one thread that checks, seven that do not.
#include <assert.h>
#include <pthread.h>

enum { kOthers = 7 };

static volatile int value;
static pthread_mutex_t data_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t other_lock = PTHREAD_MUTEX_INITIALIZER;

static void* increment_and_check(void* unused) {
  pthread_mutex_lock(&data_lock);
  const int before = value;
  value = value + 1;
  assert(value == before + 1);
  pthread_mutex_unlock(&data_lock);
  return unused;
}

static void* increment(void* unused) {
  pthread_mutex_lock(&other_lock);
  value = value + 1;
  pthread_mutex_unlock(&other_lock);
  return unused;
}

int main(void) {
  pthread_t checker, others[kOthers];
  pthread_create(&checker, NULL, increment_and_check, NULL);
  for (int i = 0; i < kOthers; i++) pthread_create(&others[i], NULL, increment, NULL);
  pthread_join(checker, NULL);
  for (int i = 0; i < kOthers; i++) pthread_join(others[i], NULL);
  return 0;
}
