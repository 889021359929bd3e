// WHAT    A thread spins until another has set a flag, which at this level is no event: it keeps its turn for a moment, and then
//         the other goes on.
// EXPECT  pass
// WITHIN  strategy every runs 2 seed 1
// LEVEL   sync
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int go;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int count;

static void add(void) {
  pthread_mutex_lock(&mutex);
  ++count;
  pthread_mutex_unlock(&mutex);
}

static void* wait_for_it(void* unused) {
  while (atomic_load_explicit(&go, memory_order_acquire) == 0) continue;
  add();
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, wait_for_it, NULL);
  add();
  atomic_store_explicit(&go, 1, memory_order_release);
  pthread_join(thread, NULL);
  return count == 2 ? 0 : 1;
}
