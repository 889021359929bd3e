// WHAT    The usual shape of a stress test: threads work until main, which sleeps for a second first,
//         tells them to stop.
// EXPECT  pass
// WITHIN  strategy every runs 2 seed 1
// NATIVE  slow
#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static unsigned long done;
static atomic_bool stop;

static void* work(void* unused) {
  while (!atomic_load(&stop)) {
    pthread_mutex_lock(&lock);
    ++done;
    pthread_mutex_unlock(&lock);
  }
  return unused;
}

int main(void) {
  pthread_t workers[2];
  for (int i = 0; i < 2; ++i) pthread_create(&workers[i], NULL, work, NULL);
  sleep(1);
  atomic_store(&stop, 1);
  for (int i = 0; i < 2; ++i) pthread_join(workers[i], NULL);
  return 0;
}
