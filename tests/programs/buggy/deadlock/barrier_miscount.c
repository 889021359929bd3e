// WHAT    Three threads meet at a barrier of three, but one that finds its work done already leaves
//         without coming.
// EXPECT  failure deadlock   sites work
// WITHIN  strategy portfolio runs 500 seed 1
// REPLAYS 20/20
// CLASS   deadlock
// MIN_PREEMPTIONS 0
// DECISIVE take, take|work, work
#include <pthread.h>

enum { kThreads = 3 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_barrier_t barrier;
static int tasks = 3;  // each thread takes at most two, so that somebody may go without

static int take(void) {
  pthread_mutex_lock(&lock);
  const int taken = tasks > 0 ? tasks-- : 0;
  pthread_mutex_unlock(&lock);
  return taken;
}

static void* work(void* argument) {
  const long appetite = (long)argument;
  int taken = 0;
  for (long i = 0; i < appetite; i++) taken += take() > 0;
  if (taken == 0) return NULL;  // "nothing to do": the others wait for this thread at the barrier
  pthread_barrier_wait(&barrier);
  return NULL;
}

int main(void) {
  const long appetites[kThreads] = {1, 1, 2};
  pthread_barrier_init(&barrier, NULL, kThreads);
  pthread_t threads[kThreads];
  for (int i = 0; i < kThreads; i++) pthread_create(&threads[i], NULL, work, (void*)appetites[i]);
  for (int i = 0; i < kThreads; i++) pthread_join(threads[i], NULL);
  return 0;
}
