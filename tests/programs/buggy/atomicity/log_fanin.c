// WHAT    Two producers feed one queue and the last to retire closes it, but the count of live
//         producers is decremented by a load and a store, so that a decrement can be lost, nobody
//         closes the queue and the consumer waits for ever.
// EXPECT  failure deadlock   sites consume
// WITHIN  strategy portfolio runs 1000 seed 1
// REPLAYS 20/20
// CLASS   atomicity
// MIN_PREEMPTIONS 1
// DECISIVE retire, retire
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>

enum { PRODUCERS = 2, LINES = 3, CAPACITY = 16 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static sem_t ready;  // one post for every line, and one for the end
static int lines[CAPACITY];
static int head, tail;
static bool closed;
static atomic_int producers = PRODUCERS;

static void push(int line) {
  pthread_mutex_lock(&lock);
  lines[tail++] = line;
  pthread_mutex_unlock(&lock);
  sem_post(&ready);
}

static void close_queue(void) {
  pthread_mutex_lock(&lock);
  closed = true;
  pthread_mutex_unlock(&lock);
  sem_post(&ready);
}

static void retire(void) {
  int left = atomic_load(&producers) - 1;
  atomic_store(&producers, left);
  if (left == 0) close_queue();
}

static void* produce(void* arg) {
  int base = *(int*)arg;
  for (int i = 0; i < LINES; i++) push(base + i);
  retire();
  return NULL;
}

static void* consume(void* arg) {
  int* seen = arg;
  for (;;) {
    sem_wait(&ready);
    pthread_mutex_lock(&lock);
    bool end = head == tail && closed;
    if (head < tail && lines[head++] > 0) ++*seen;
    pthread_mutex_unlock(&lock);
    if (end) return NULL;
  }
}

int main(void) {
  pthread_t consumer, producer[PRODUCERS];
  int base[PRODUCERS] = {100, 200}, seen = 0;
  sem_init(&ready, 0, 0);
  pthread_create(&consumer, NULL, consume, &seen);
  for (int i = 0; i < PRODUCERS; i++) pthread_create(&producer[i], NULL, produce, &base[i]);
  for (int i = 0; i < PRODUCERS; i++) pthread_join(producer[i], NULL);
  pthread_join(consumer, NULL);
  printf("%d lines\n", seen);
  return seen == PRODUCERS * LINES ? 0 : 1;
}
