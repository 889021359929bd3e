// first: the first experiment of ConTest (Edelstein et al., 2002).
//
// The paper  Three threads check a global `First`. Whoever finds it true sets it to false and
//            prints "race". Unseeded the fault never came in 1000 executions, because each thread
//            ended before the next one began; noise by sleep() showed it in 200 of 1000 runs, by
//            yield() in 3 of 1000.
// The bug    Nothing makes the check and the assignment one step: two threads can both be first.
// It fails   with exit 1 when more than one thread has printed "race".
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>

enum { kThreads = 3 };

static bool first;
static bool printed[kThreads];

static void* check_first(void* argument) {
  if (first) {
    first = false;
    puts("race");
    *(bool*)argument = true;
  }
  return NULL;
}

int main(void) {
  first = true;
  pthread_t threads[kThreads];
  for (int i = 0; i < kThreads; i++) pthread_create(&threads[i], NULL, check_first, &printed[i]);
  for (int i = 0; i < kThreads; i++) pthread_join(threads[i], NULL);

  int winners = 0;
  for (int i = 0; i < kThreads; i++) winners += printed[i];
  if (winners == 1) return 0;
  fprintf(stderr, "first: %d threads believe they were first\n", winners);
  return 1;
}
