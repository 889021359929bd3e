// WHAT    A sender and a receiver take turns by two flags, but each counts its attempts, not its
//         turns: the receiver expects item i in attempt i.
// EXPECT  failure crash   sites receive_items
// WITHIN  strategy portfolio runs 200 seed 1
// REPLAYS 20/20
// CLASS   atomicity|order violation
// MIN_PREEMPTIONS 1
// DECISIVE receive_items, send_items
// PUBLISHED circular_buffer
// BUILD   -O0
// ORIGIN  SCTBench CS.circular_buffer: two threads, seven attempts each, room for ten.
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>

enum { kCapacity = 10, kAttempts = 7, kError = -1 };

static char buffer[kCapacity];
static unsigned first, next, size;
static bool may_send, may_receive;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static int remove_element(void) {
  if (next > 0 && first < size) {
    first++;
    return buffer[first - 1];
  }
  return kError;
}

static int insert_element(int value) {
  if (next >= size || size == 0) return kError;
  buffer[next] = (char)value;
  next = (next + 1) % size;
  assert(next < size);
  return value;
}

static void* send_items(void* unused) {
  for (int i = 0; i < kAttempts; i++) {
    pthread_mutex_lock(&lock);
    if (may_send) {
      insert_element(i);
      may_send = false;
      may_receive = true;
    }
    pthread_mutex_unlock(&lock);
  }
  return unused;
}

static void* receive_items(void* unused) {
  for (int i = 0; i < kAttempts; i++) {
    pthread_mutex_lock(&lock);
    if (may_receive) {
      assert(remove_element() == i);
      may_receive = false;
      may_send = true;
    }
    pthread_mutex_unlock(&lock);
  }
  return unused;
}

int main(void) {
  size = kCapacity;
  may_send = true;
  pthread_t sender, receiver;
  pthread_create(&sender, NULL, send_items, NULL);
  pthread_create(&receiver, NULL, receive_items, NULL);
  pthread_join(sender, NULL);
  pthread_join(receiver, NULL);
  return 0;
}
