// WHAT    A flag is tested outside the lock, and the wait does not test it again: a signal in
//         between is lost.
// EXPECT  failure deadlock   sites wait_for_ready
// WITHIN  strategy portfolio runs 500 seed 1
// REPLAYS 20/20
// CLASS   lost wake-up
// MIN_PREEMPTIONS 1
// DECISIVE wait_for_ready, make_ready
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static atomic_bool ready;

static void* wait_for_ready(void* unused) {
  if (!ready) {
    pthread_mutex_lock(&lock);
    pthread_cond_wait(&changed, &lock);
    pthread_mutex_unlock(&lock);
  }
  return unused;
}

static void* make_ready(void* unused) {
  pthread_mutex_lock(&lock);
  ready = true;
  pthread_cond_signal(&changed);
  pthread_mutex_unlock(&lock);
  return unused;
}

int main(void) {
  pthread_t waiter, maker;
  pthread_create(&waiter, NULL, wait_for_ready, NULL);
  pthread_create(&maker, NULL, make_ready, NULL);
  pthread_join(waiter, NULL);
  pthread_join(maker, NULL);
  return 0;
}
