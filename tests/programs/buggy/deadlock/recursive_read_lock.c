// WHAT    A reader takes the read lock twice; the lock prefers writers, and one asks for it in
//         between.
// EXPECT  failure deadlock   sites read_twice, write_once
// WITHIN  strategy portfolio runs 500 seed 1
// REPLAYS 20/20
// CLASS   deadlock
// MIN_PREEMPTIONS 1
// DECISIVE read_twice, write_once
#define _GNU_SOURCE
#include <pthread.h>

static pthread_rwlock_t lock;
static int value;

static void* read_twice(void* unused) {
  pthread_rwlock_rdlock(&lock);
  const int outer = value;
  pthread_rwlock_rdlock(&lock);
  const int inner = value;
  pthread_rwlock_unlock(&lock);
  pthread_rwlock_unlock(&lock);
  return outer == inner ? unused : (void*)1;
}

static void* write_once(void* unused) {
  pthread_rwlock_wrlock(&lock);
  value++;
  pthread_rwlock_unlock(&lock);
  return unused;
}

int main(void) {
  pthread_rwlockattr_t attributes;
  pthread_rwlockattr_init(&attributes);
  pthread_rwlockattr_setkind_np(&attributes, PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP);
  pthread_rwlock_init(&lock, &attributes);
  pthread_t reader, writer;
  pthread_create(&reader, NULL, read_twice, NULL);
  pthread_create(&writer, NULL, write_once, NULL);
  pthread_join(reader, NULL);
  pthread_join(writer, NULL);
  return 0;
}
