// WHAT    A bounded buffer done right: the wait and the taking are one critical section.
// EXPECT  pass
// WITHIN  strategy every runs 40 seed 1
#include <assert.h>
#include <pthread.h>

enum { kCapacity = 2, kItems = 3 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t not_full = PTHREAD_COND_INITIALIZER, not_empty = PTHREAD_COND_INITIALIZER;
static int items[kCapacity], count, head, sum;

static void* produce(void* unused) {
  for (int i = 1; i <= kItems; i++) {
    pthread_mutex_lock(&lock);
    while (count == kCapacity) pthread_cond_wait(&not_full, &lock);
    items[(head + count++) % kCapacity] = i;
    pthread_cond_signal(&not_empty);
    pthread_mutex_unlock(&lock);
  }
  return unused;
}

static void* consume(void* unused) {
  for (int i = 0; i < kItems; i++) {
    pthread_mutex_lock(&lock);
    while (count == 0) pthread_cond_wait(&not_empty, &lock);
    sum += items[head];
    head = (head + 1) % kCapacity;
    count--;
    pthread_cond_signal(&not_full);
    pthread_mutex_unlock(&lock);
  }
  return unused;
}

int main(void) {
  pthread_t threads[4];
  for (int i = 0; i < 4; i++) pthread_create(&threads[i], NULL, i % 2 ? produce : consume, NULL);
  for (int i = 0; i < 4; i++) pthread_join(threads[i], NULL);
  assert(count == 0 && sum == 2 * (1 + 2 + 3));
  return 0;
}
