// WHAT    Read-write locks: who gets in, who is told EBUSY or EDEADLK, and timed variants.
// EXPECT  pass
// WITHIN  strategy every runs 40 seed 1
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <time.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static atomic_int readers;
static int value;

static void* read_value(void* unused) {
  for (int i = 0; i < 2; i++) {
    pthread_rwlock_rdlock(&lock);
    readers++;
    const int before = value;
    assert(value == before);
    readers--;
    pthread_rwlock_unlock(&lock);
  }
  return unused;
}

static void* write_value(void* unused) {
  for (int i = 0; i < 2; i++) {
    pthread_rwlock_wrlock(&lock);
    assert(readers == 0);
    value++;
    pthread_rwlock_unlock(&lock);
  }
  return unused;
}

static void* find_it_taken(void* unused) {
  assert(pthread_rwlock_tryrdlock(&lock) == EBUSY);
  assert(pthread_rwlock_trywrlock(&lock) == EBUSY);
  struct timespec past = {1, 0};
  assert(pthread_rwlock_timedrdlock(&lock, &past) == ETIMEDOUT);
  assert(pthread_rwlock_timedwrlock(&lock, &past) == ETIMEDOUT);
  return unused;
}

int main(void) {
  pthread_t threads[4];
  for (int i = 0; i < 4; i++)
    pthread_create(&threads[i], NULL, i < 2 ? read_value : write_value, NULL);
  for (int i = 0; i < 4; i++) pthread_join(threads[i], NULL);
  assert(value == 4);

  pthread_rwlock_wrlock(&lock);
  assert(pthread_rwlock_wrlock(&lock) == EDEADLK);
  assert(pthread_rwlock_rdlock(&lock) == EDEADLK);
  pthread_create(&threads[0], NULL, find_it_taken, NULL);
  pthread_join(threads[0], NULL);
  pthread_rwlock_unlock(&lock);
  assert(pthread_rwlock_tryrdlock(&lock) == 0);
  assert(pthread_rwlock_trywrlock(&lock) == EBUSY);
  assert(pthread_rwlock_tryrdlock(&lock) == 0);
  pthread_rwlock_unlock(&lock);
  pthread_rwlock_unlock(&lock);
  return 0;
}
