// WHAT    One thread pushes ten times, another pops ten times once a flag says that anything was
//         ever pushed: the flag is not the stack's being non-empty.
// EXPECT  failure crash   sites pop_all
// WITHIN  strategy portfolio runs 200 seed 1
// REPLAYS 20/20
// CLASS   order violation|atomicity
// MIN_PREEMPTIONS 1
// DECISIVE push, pop|push_all, pop_all
// PUBLISHED stack
// BUILD   -O0
// ORIGIN  SCTBench CS.stack: two threads, ten operations each.
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>

enum { kSize = 10, kOverflow = -1, kUnderflow = -2 };

static int top;
static unsigned elements[kSize];
static bool pushed;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static int push(int value) {
  if (top == kSize) return kOverflow;
  elements[top] = (unsigned)value;
  top++;
  return 0;
}

static int pop(void) {
  if (top == 0) return kUnderflow;
  top--;
  return (int)elements[top];
}

static void* push_all(void* unused) {
  for (int i = 0; i < kSize; i++) {
    pthread_mutex_lock(&lock);
    assert(push(i) != kOverflow);
    pushed = true;
    pthread_mutex_unlock(&lock);
  }
  return unused;
}

static void* pop_all(void* unused) {
  for (int i = 0; i < kSize; i++) {
    pthread_mutex_lock(&lock);
    if (pushed) assert(pop() != kUnderflow);
    pthread_mutex_unlock(&lock);
  }
  return unused;
}

int main(void) {
  pthread_t pusher, popper;
  pthread_create(&pusher, NULL, push_all, NULL);
  pthread_create(&popper, NULL, pop_all, NULL);
  pthread_join(pusher, NULL);
  pthread_join(popper, NULL);
  return 0;
}
