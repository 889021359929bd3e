// How much the threads do is drawn in a library's constructor, which runs before the program's own.
#include <pthread.h>
#include <stddef.h>

extern unsigned drawn;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int value;

static void* count(void* unused) {
  for (unsigned i = 0; i < drawn; i++) {
    pthread_mutex_lock(&lock);
    value++;
    pthread_mutex_unlock(&lock);
  }
  return unused;
}

int main(void) {
  pthread_t threads[2];
  for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, count, NULL);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
  return value != 2 * (int)drawn;
}
