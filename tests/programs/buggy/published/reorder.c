// WHAT    Setters store a = 1 and b = -1 without a lock; a checker that comes between the two
//         stores, before any setter has finished, sees one without the other.
// EXPECT  failure crash   sites check
// WITHIN  strategy portfolio runs 2000 seed 1
// REPLAYS 20/20
// CLASS   data race
// MIN_PREEMPTIONS 1
// DECISIVE set, check
// PUBLISHED yes
// BUILD   -O0
// VARIANT reorder_3  -DSETTERS=2 -DCHECKERS=1
// VARIANT reorder_5  -DSETTERS=4 -DCHECKERS=1
// VARIANT reorder_10 -DSETTERS=9 -DCHECKERS=1
// VARIANT reorder_20 -DSETTERS=10 -DCHECKERS=10
// VARIANT reorder_50 -DSETTERS=40 -DCHECKERS=10
// ORIGIN  SCTBench CS.reorder_N: N threads, all setters created before the checkers.
#include <assert.h>
#include <pthread.h>

#ifndef SETTERS
#define SETTERS 2
#define CHECKERS 1
#endif

static int a, b;

static void* set(void* unused) {
  a = 1;
  b = -1;
  return unused;
}

static void* check(void* unused) {
  assert((a == 0 && b == 0) || (a == 1 && b == -1));
  return unused;
}

int main(void) {
  pthread_t setters[SETTERS], checkers[CHECKERS];
  for (int i = 0; i < SETTERS; i++) pthread_create(&setters[i], NULL, set, NULL);
  for (int i = 0; i < CHECKERS; i++) pthread_create(&checkers[i], NULL, check, NULL);
  for (int i = 0; i < SETTERS; i++) pthread_join(setters[i], NULL);
  for (int i = 0; i < CHECKERS; i++) pthread_join(checkers[i], NULL);
  return 0;
}
