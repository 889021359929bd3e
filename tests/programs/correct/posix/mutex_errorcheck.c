// WHAT    An errorcheck mutex answers misuse with EDEADLK, EPERM and EBUSY.
// EXPECT  pass
// WITHIN  strategy every runs 40 seed 1
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static pthread_mutex_t lock;

static void* misuse(void* unused) {
  assert(pthread_mutex_unlock(&lock) == EPERM);
  assert(pthread_mutex_trylock(&lock) == EBUSY);
  return unused;
}

int main(void) {
  pthread_mutexattr_t attributes;
  pthread_mutexattr_init(&attributes);
  pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_ERRORCHECK);
  pthread_mutex_init(&lock, &attributes);
  assert(pthread_mutex_unlock(&lock) == EPERM);
  assert(pthread_mutex_lock(&lock) == 0);
  assert(pthread_mutex_lock(&lock) == EDEADLK);
  assert(pthread_mutex_trylock(&lock) == EBUSY);
  pthread_t thread;
  pthread_create(&thread, NULL, misuse, NULL);
  pthread_join(thread, NULL);
  assert(pthread_mutex_unlock(&lock) == 0);
  assert(pthread_mutex_destroy(&lock) == 0);
  pthread_mutexattr_destroy(&attributes);
  return 0;
}
