// WHAT    Three threads, three locks, each takes its own and then the next one's: a cycle that no
//         two of them make.
// EXPECT  failure deadlock   sites take_two
// WITHIN  strategy portfolio runs 500 seed 1
// REPLAYS 20/20
// CLASS   deadlock
// MIN_PREEMPTIONS 1
// DECISIVE take_two, take_two
#include <pthread.h>

enum { kThreads = 3 };

static pthread_mutex_t locks[kThreads] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER,
                                          PTHREAD_MUTEX_INITIALIZER};
static int turns;

static void* take_two(void* argument) {
  const long own = (long)argument;
  pthread_mutex_lock(&locks[own]);
  pthread_mutex_lock(&locks[(own + 1) % kThreads]);
  __atomic_fetch_add(&turns, 1, __ATOMIC_SEQ_CST);
  pthread_mutex_unlock(&locks[(own + 1) % kThreads]);
  pthread_mutex_unlock(&locks[own]);
  return NULL;
}

int main(void) {
  pthread_t threads[kThreads];
  for (long i = 0; i < kThreads; i++) pthread_create(&threads[i], NULL, take_two, (void*)i);
  for (int i = 0; i < kThreads; i++) pthread_join(threads[i], NULL);
  return turns == kThreads ? 0 : 1;
}
