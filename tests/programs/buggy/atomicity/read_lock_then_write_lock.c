// WHAT    A reader sees that the cache is empty, gives up the read lock, takes the write lock and
//         fills it without looking again.
// EXPECT  failure exit
// WITHIN  strategy portfolio runs 500 seed 1
// REPLAYS 20/20
// CLASS   atomicity
// MIN_PREEMPTIONS 1
// DECISIVE lookup, lookup
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static bool cached;
static int fills;

static void* lookup(void* unused) {
  pthread_rwlock_rdlock(&lock);
  const bool hit = cached;
  pthread_rwlock_unlock(&lock);
  if (!hit) {
    pthread_rwlock_wrlock(&lock);
    cached = true;
    fills++;
    pthread_rwlock_unlock(&lock);
  }
  return unused;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, NULL, lookup, NULL);
  pthread_create(&second, NULL, lookup, NULL);
  pthread_join(first, NULL);
  pthread_join(second, NULL);
  if (fills == 1) return 0;
  fprintf(stderr, "the cache was filled %d times\n", fills);
  return 1;
}
