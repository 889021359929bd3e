// WHAT    Two threads add 1 and 2 under the lock; a third, started first, fails if it comes last.
// EXPECT  failure crash   sites check
// WITHIN  strategy portfolio runs 200 seed 1
// REPLAYS 20/20
// CLASS   order violation
// MIN_PREEMPTIONS 0
// DECISIVE check, add_one|check, add_two
// PUBLISHED lazy01
// BUILD   -O0
// ORIGIN  SCTBench CS.lazy01: three threads, created checker first.
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int data;

static void* add_one(void* unused) {
  pthread_mutex_lock(&lock);
  data++;
  pthread_mutex_unlock(&lock);
  return unused;
}

static void* add_two(void* unused) {
  pthread_mutex_lock(&lock);
  data += 2;
  pthread_mutex_unlock(&lock);
  return unused;
}

static void* check(void* unused) {
  pthread_mutex_lock(&lock);
  assert(data < 3);
  pthread_mutex_unlock(&lock);
  return unused;
}

int main(void) {
  pthread_t one, two, checker;
  pthread_create(&checker, NULL, check, NULL);
  pthread_create(&two, NULL, add_two, NULL);
  pthread_create(&one, NULL, add_one, NULL);
  pthread_join(one, NULL);
  pthread_join(two, NULL);
  pthread_join(checker, NULL);
  return 0;
}
