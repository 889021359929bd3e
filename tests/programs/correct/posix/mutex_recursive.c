// WHAT    A recursive mutex counts, and lets the next one in after as many unlocks.
// EXPECT  pass
// WITHIN  strategy every runs 40 seed 1
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static pthread_mutex_t lock;
static int inside;

static void* enter(void* unused) {
  for (int i = 0; i < 2; i++) {
    pthread_mutex_lock(&lock);
    pthread_mutex_lock(&lock);
    assert(pthread_mutex_trylock(&lock) == 0);
    assert(++inside == 1);
    inside--;
    for (int unlock = 0; unlock < 3; unlock++) assert(pthread_mutex_unlock(&lock) == 0);
  }
  assert(pthread_mutex_unlock(&lock) == EPERM);
  return unused;
}

int main(void) {
  pthread_mutexattr_t attributes;
  pthread_mutexattr_init(&attributes);
  pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_RECURSIVE);
  pthread_mutex_init(&lock, &attributes);
  pthread_t threads[3];
  for (int i = 0; i < 3; i++) pthread_create(&threads[i], NULL, enter, NULL);
  for (int i = 0; i < 3; i++) pthread_join(threads[i], NULL);
  return 0;
}
