// WHAT    A bounded buffer whose get() lets go of the lock between waiting for an item and taking
//         it.
// EXPECT  failure crash   sites get
// WITHIN  strategy portfolio runs 500 seed 1
// REPLAYS 20/20
// CLASS   atomicity
// MIN_PREEMPTIONS 1
// DECISIVE get, get|get, put
// PUBLISHED boundedBuffer
// BUILD   -O0
// ORIGIN  SCTBench inspect.boundedBuffer: two producers and two consumers, four items each,
//         capacity 3 (two usable).
#include <assert.h>
#include <pthread.h>

enum { kCapacity = 3, kItems = 4, kProducers = 2, kConsumers = 2 };

struct Buffer {
  pthread_mutex_t lock;
  pthread_cond_t not_full, not_empty;
  unsigned head, rear;
  unsigned waiting_producers, waiting_consumers;
  int items[kCapacity];
};

static struct Buffer buffer = {
    .lock = PTHREAD_MUTEX_INITIALIZER,
    .not_full = PTHREAD_COND_INITIALIZER,
    .not_empty = PTHREAD_COND_INITIALIZER,
};

static void put(struct Buffer* b, int item) {
  pthread_mutex_lock(&b->lock);
  if ((b->rear + 1) % kCapacity == b->head) {
    b->waiting_producers++;
    while ((b->rear + 1) % kCapacity == b->head) pthread_cond_wait(&b->not_full, &b->lock);
    b->waiting_producers--;
  }
  b->items[b->rear] = item;
  b->rear = (b->rear + 1) % kCapacity;
  if (b->waiting_consumers > 0) pthread_cond_signal(&b->not_empty);
  pthread_mutex_unlock(&b->lock);
}

static int get(struct Buffer* b) {
  pthread_mutex_lock(&b->lock);
  if (b->head == b->rear) {
    b->waiting_consumers++;
    while (b->head == b->rear) pthread_cond_wait(&b->not_empty, &b->lock);
    b->waiting_consumers--;
  }
  pthread_mutex_unlock(&b->lock);  // the bug: what was true need not stay true

  pthread_mutex_lock(&b->lock);
  assert(b->head != b->rear);
  const int item = b->items[b->head];
  b->head = (b->head + 1) % kCapacity;
  if (b->waiting_producers > 0) pthread_cond_signal(&b->not_full);
  pthread_mutex_unlock(&b->lock);
  return item;
}

static void* produce(void* unused) {
  for (int i = 0; i < kItems; i++) put(&buffer, 'a' + i);
  return unused;
}

static void* consume(void* unused) {
  for (int i = 0; i < kItems; i++) get(&buffer);
  return unused;
}

int main(void) {
  pthread_t producers[kProducers], consumers[kConsumers];
  for (int i = 0; i < kProducers; i++) pthread_create(&producers[i], NULL, produce, NULL);
  for (int i = 0; i < kConsumers; i++) pthread_create(&consumers[i], NULL, consume, NULL);
  for (int i = 0; i < kProducers; i++) pthread_join(producers[i], NULL);
  for (int i = 0; i < kConsumers; i++) pthread_join(consumers[i], NULL);
  return 0;
}
