// WHAT    Producer and consumer take turns by flags; the producer puts its first item without
//         taking a turn, and both count attempts instead of items.
// EXPECT  failure crash   sites consume
// WITHIN  strategy portfolio runs 200 seed 1
// REPLAYS 20/20
// CLASS   atomicity|order violation
// MIN_PREEMPTIONS 1
// DECISIVE consume, produce
// PUBLISHED queue
// BUILD   -O0
// ORIGIN  SCTBench CS.queue: two threads, 20 attempts each.
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>

enum { kSize = 20 };

struct Queue {
  int elements[kSize];
  int head, tail, amount;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct Queue queue;
static int stored[kSize];
static bool may_enqueue, may_dequeue;

static void enqueue(struct Queue* q, int value) {
  q->elements[q->tail] = value;
  q->amount++;
  q->tail = q->tail == kSize ? 1 : q->tail + 1;
}

static int dequeue(struct Queue* q) {
  const int value = q->elements[q->head];
  q->amount--;
  q->head = q->head == kSize ? 1 : q->head + 1;
  return value;
}

static void* produce(void* unused) {
  int value = 0;
  pthread_mutex_lock(&lock);
  enqueue(&queue, value);
  stored[0] = value;
  assert(queue.head != queue.tail);
  pthread_mutex_unlock(&lock);
  for (int i = 0; i < kSize - 1; i++) {
    pthread_mutex_lock(&lock);
    if (may_enqueue) {
      value++;
      enqueue(&queue, value);
      stored[i + 1] = value;
      may_enqueue = false;
      may_dequeue = true;
    }
    pthread_mutex_unlock(&lock);
  }
  return unused;
}

static void* consume(void* unused) {
  for (int i = 0; i < kSize; i++) {
    pthread_mutex_lock(&lock);
    if (may_dequeue) {
      assert(dequeue(&queue) == stored[i]);
      may_dequeue = false;
      may_enqueue = true;
    }
    pthread_mutex_unlock(&lock);
  }
  return unused;
}

int main(void) {
  may_enqueue = true;
  pthread_t producer, consumer;
  pthread_create(&producer, NULL, produce, NULL);
  pthread_create(&consumer, NULL, consume, NULL);
  pthread_join(producer, NULL);
  pthread_join(consumer, NULL);
  return 0;
}
