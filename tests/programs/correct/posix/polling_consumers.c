// WHAT    Two threads look for work under a lock, and yield where there is none; a third brings it, piece by piece.
// EXPECT  pass
// WITHIN  strategy every runs 40 seed 1
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdbool.h>
#include <stddef.h>

enum { kPieces = 8 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int waiting;
static int done;

static bool take(bool* all_done) {
  pthread_mutex_lock(&lock);
  const bool taken = waiting > 0;
  if (taken) {
    waiting--;
    done++;
  }
  *all_done = done == kPieces;
  pthread_mutex_unlock(&lock);
  return taken;
}

static void* consume(void* unused) {
  for (bool all_done = false; !all_done;) {
    if (!take(&all_done)) sched_yield();
  }
  return unused;
}

static void* produce(void* unused) {
  for (int i = 0; i < kPieces; i++) {
    pthread_mutex_lock(&lock);
    waiting++;
    pthread_mutex_unlock(&lock);
  }
  return unused;
}

int main(void) {
  pthread_t threads[3];
  pthread_create(&threads[0], NULL, consume, NULL);
  pthread_create(&threads[1], NULL, consume, NULL);
  pthread_create(&threads[2], NULL, produce, NULL);
  for (int i = 0; i < 3; i++) pthread_join(threads[i], NULL);
  assert(done == kPieces && waiting == 0);
  return 0;
}
