// WHAT    A thread that finds nothing to do returns early and forgets the lock it holds.
// EXPECT  failure deadlock   sites consume, produce
// WITHIN  strategy portfolio runs 200 seed 1
// REPLAYS 20/20
// CLASS   deadlock
// MIN_PREEMPTIONS 0
// DECISIVE consume, produce
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int items;

static void* produce(void* unused) {
  pthread_mutex_lock(&lock);
  items++;
  pthread_mutex_unlock(&lock);
  return unused;
}

static void* consume(void* unused) {
  pthread_mutex_lock(&lock);
  if (items == 0) return unused;
  items--;
  pthread_mutex_unlock(&lock);
  return unused;
}

int main(void) {
  pthread_t producer, consumer;
  pthread_create(&producer, NULL, produce, NULL);
  pthread_create(&consumer, NULL, consume, NULL);
  pthread_join(producer, NULL);
  pthread_join(consumer, NULL);
  return 0;
}
