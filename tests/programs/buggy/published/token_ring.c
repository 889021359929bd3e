// WHAT    Three threads pass a value around, each step under the lock, in any order; a fourth
//         checks a result that only one order gives.
// EXPECT  failure crash   sites check
// WITHIN  strategy portfolio runs 200 seed 1
// REPLAYS 20/20
// CLASS   order violation
// MIN_PREEMPTIONS 0
// DECISIVE pass_1, pass_2|pass_1, pass_3|pass_1, check|pass_2, check|pass_3, check
// PUBLISHED token_ring
// BUILD   -O0
// ORIGIN  SCTBench CS.token_ring: four threads.
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>

static pthread_mutex_t atomic_section = PTHREAD_MUTEX_INITIALIZER;
static int x1 = 1, x2 = 2, x3 = 1;
static bool done_1, done_2, done_3;

static void* pass_1(void* unused) {
  pthread_mutex_lock(&atomic_section);
  x1 = (x3 + 1) % 4;
  done_1 = true;
  pthread_mutex_unlock(&atomic_section);
  return unused;
}

static void* pass_2(void* unused) {
  pthread_mutex_lock(&atomic_section);
  x2 = x1;
  done_2 = true;
  pthread_mutex_unlock(&atomic_section);
  return unused;
}

static void* pass_3(void* unused) {
  pthread_mutex_lock(&atomic_section);
  x3 = x2;
  done_3 = true;
  pthread_mutex_unlock(&atomic_section);
  return unused;
}

static void* check(void* unused) {
  pthread_mutex_lock(&atomic_section);
  if (done_1 && done_2 && done_3) assert(x1 == x2 && x2 == x3);
  pthread_mutex_unlock(&atomic_section);
  return unused;
}

int main(void) {
  void* (*const bodies[])(void*) = {pass_1, pass_2, pass_3, check};
  pthread_t threads[4];
  for (int i = 0; i < 4; i++) pthread_create(&threads[i], NULL, bodies[i], NULL);
  for (int i = 3; i >= 0; i--) pthread_join(threads[i], NULL);
  return 0;
}
