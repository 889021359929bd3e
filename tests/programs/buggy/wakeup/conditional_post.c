// WHAT    A producer posts a semaphore only if it looks empty; the consumer takes the old token
//         after the look, and the new one is never posted.
// EXPECT  failure deadlock   sites consume
// WITHIN  strategy portfolio runs 500 seed 1
// REPLAYS 20/20
// CLASS   deadlock
// MIN_PREEMPTIONS 0
// DECISIVE produce, consume
#include <pthread.h>
#include <semaphore.h>

enum { kItems = 2 };

static sem_t tokens;

static void* produce(void* unused) {
  for (int i = 0; i < kItems; i++) {
    int value;
    sem_getvalue(&tokens, &value);
    if (value == 0) sem_post(&tokens);
  }
  return unused;
}

static void* consume(void* unused) {
  for (int i = 0; i < kItems; i++) sem_wait(&tokens);
  return unused;
}

int main(void) {
  sem_init(&tokens, 0, 0);
  pthread_t producer, consumer;
  pthread_create(&consumer, NULL, consume, NULL);
  pthread_create(&producer, NULL, produce, NULL);
  pthread_join(producer, NULL);
  pthread_join(consumer, NULL);
  return 0;
}
