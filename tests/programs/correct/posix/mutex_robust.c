// WHAT    A robust mutex tells its next owner that the last one died, and is usable once made
//         consistent.
// EXPECT  pass
// WITHIN  strategy every runs 40 seed 1
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static pthread_mutex_t lock;

static void* die_holding(void* unused) {
  assert(pthread_mutex_lock(&lock) == 0);
  return unused;
}

static void* abandon(void* unused) {
  assert(pthread_mutex_lock(&lock) == EOWNERDEAD);
  pthread_mutex_unlock(&lock);  // without pthread_mutex_consistent: nobody can use it any more
  return unused;
}

int main(void) {
  pthread_mutexattr_t attributes;
  pthread_mutexattr_init(&attributes);
  pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST);
  pthread_mutex_init(&lock, &attributes);
  pthread_t thread;

  pthread_create(&thread, NULL, die_holding, NULL);
  pthread_join(thread, NULL);
  assert(pthread_mutex_lock(&lock) == EOWNERDEAD);
  assert(pthread_mutex_consistent(&lock) == 0);
  assert(pthread_mutex_unlock(&lock) == 0);
  assert(pthread_mutex_lock(&lock) == 0);
  assert(pthread_mutex_unlock(&lock) == 0);

  pthread_create(&thread, NULL, die_holding, NULL);
  pthread_join(thread, NULL);
  pthread_create(&thread, NULL, abandon, NULL);
  pthread_join(thread, NULL);
  assert(pthread_mutex_lock(&lock) == ENOTRECOVERABLE);
  assert(pthread_mutex_unlock(&lock) == EPERM);
  assert(pthread_mutex_lock(&lock) == ENOTRECOVERABLE);
  return 0;
}
