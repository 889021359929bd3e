// WHAT    Two threads take locks a and b in opposite orders.
// EXPECT  failure deadlock   sites take_a_then_b, take_b_then_a
// WITHIN  strategy portfolio runs 200 seed 1
// REPLAYS 20/20
// CLASS   deadlock
// MIN_PREEMPTIONS 1
// DECISIVE take_a_then_b, take_b_then_a
// PUBLISHED deadlock01
// BUILD   -O0
// ORIGIN  SCTBench CS.deadlock01: two threads.
#include <pthread.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t b = PTHREAD_MUTEX_INITIALIZER;
static int counter = 1;

static void* take_a_then_b(void* unused) {
  pthread_mutex_lock(&a);
  pthread_mutex_lock(&b);
  counter++;
  pthread_mutex_unlock(&b);
  pthread_mutex_unlock(&a);
  return unused;
}

static void* take_b_then_a(void* unused) {
  pthread_mutex_lock(&b);
  pthread_mutex_lock(&a);
  counter--;
  pthread_mutex_unlock(&a);
  pthread_mutex_unlock(&b);
  return unused;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, NULL, take_a_then_b, NULL);
  pthread_create(&second, NULL, take_b_then_a, NULL);
  pthread_join(first, NULL);
  pthread_join(second, NULL);
  return 0;
}
