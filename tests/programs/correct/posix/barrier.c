// WHAT    A barrier releases all, and tells exactly one of them.
// EXPECT  pass
// WITHIN  strategy every runs 40 seed 1
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

enum { kThreads = 3, kRounds = 3 };

static pthread_barrier_t barrier;
static atomic_int arrived, serial;

static void* meet(void* unused) {
  for (int round = 1; round <= kRounds; round++) {
    arrived++;
    const int result = pthread_barrier_wait(&barrier);
    assert(result == 0 || result == PTHREAD_BARRIER_SERIAL_THREAD);
    serial += result == PTHREAD_BARRIER_SERIAL_THREAD;
    assert(arrived >= round * kThreads);
  }
  return unused;
}

int main(void) {
  pthread_barrier_init(&barrier, NULL, kThreads);
  pthread_t threads[kThreads];
  for (int i = 0; i < kThreads; i++) pthread_create(&threads[i], NULL, meet, NULL);
  for (int i = 0; i < kThreads; i++) pthread_join(threads[i], NULL);
  assert(serial == kRounds);
  pthread_barrier_destroy(&barrier);
  return 0;
}
