// WHAT    A thread works for ever and does nothing that heddle sees; the others end the program without it.
// EXPECT  pass
// WITHIN  strategy random runs 3 seed 1
// OPTIONS --timeout 4s
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int rounds;

__attribute__((no_sanitize_thread, noinline)) static void* work(void* unused) {
  for (volatile unsigned long number = 1;; number = number * 6364136223846793005UL + 1) continue;
  return unused;
}

static void* count(void* unused) {
  for (int i = 0; i < 3; ++i) {
    pthread_mutex_lock(&mutex);
    ++rounds;
    pthread_mutex_unlock(&mutex);
  }
  return unused;
}

int main(void) {
  pthread_t worker, counter;
  pthread_create(&worker, NULL, work, NULL);
  pthread_detach(worker);
  pthread_create(&counter, NULL, count, NULL);
  count(NULL);
  pthread_join(counter, NULL);
  _Exit(rounds == 6 ? 0 : 1);
}
