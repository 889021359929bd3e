// WHAT    A broadcast wakes all, turn after turn.
// EXPECT  pass
// WITHIN  strategy every runs 40 seed 1
#include <assert.h>
#include <pthread.h>

enum { kThreads = 3 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t turn_changed = PTHREAD_COND_INITIALIZER;
static int turn;

static void* take_turns(void* argument) {
  const int number = (int)(long)argument;
  for (int round = 0; round < 2; round++) {
    pthread_mutex_lock(&lock);
    while (turn != round * kThreads + number) pthread_cond_wait(&turn_changed, &lock);
    turn++;
    pthread_cond_broadcast(&turn_changed);
    pthread_mutex_unlock(&lock);
  }
  return NULL;
}

int main(void) {
  pthread_t threads[kThreads];
  for (long i = 0; i < kThreads; i++) pthread_create(&threads[i], NULL, take_turns, (void*)i);
  for (int i = 0; i < kThreads; i++) pthread_join(threads[i], NULL);
  assert(turn == 2 * kThreads);
  return 0;
}
