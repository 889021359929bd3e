// WHAT    A destructor of thread-specific data puts its value back until the last round, and then takes a lock that the others
//         take, too: sanitizers and allocators do that.
// EXPECT  pass
// WITHIN  strategy every runs 40 seed 1
#include <assert.h>
#include <limits.h>
#include <pthread.h>
#include <sched.h>
#include <stddef.h>

enum { kThreads = 3 };

static pthread_key_t key;
static pthread_mutex_t registry = PTHREAD_MUTEX_INITIALIZER;
static int registered;

static void leave(void* rounds_left) {
  const long left = (long)rounds_left;
  if (left > 1) {
    assert(pthread_setspecific(key, (void*)(left - 1)) == 0);
    return;
  }
  pthread_mutex_lock(&registry);
  --registered;
  pthread_mutex_unlock(&registry);
}

static void* work(void* argument) {
  pthread_mutex_lock(&registry);
  ++registered;
  pthread_mutex_unlock(&registry);
  assert(pthread_setspecific(key, (void*)(long)PTHREAD_DESTRUCTOR_ITERATIONS) == 0);
  for (int i = 0; i < 3; ++i) {
    pthread_mutex_lock(&registry);
    sched_yield();
    pthread_mutex_unlock(&registry);
  }
  return argument;
}

int main(void) {
  pthread_t threads[kThreads];
  assert(pthread_key_create(&key, leave) == 0);
  for (int i = 0; i < kThreads; ++i) assert(pthread_create(&threads[i], NULL, work, NULL) == 0);
  for (int i = 0; i < kThreads; ++i) assert(pthread_join(threads[i], NULL) == 0);
  assert(registered == 0);
  return 0;
}
