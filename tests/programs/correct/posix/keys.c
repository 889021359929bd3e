// WHAT    Thread-specific data: every destructor runs, before the join returns.
// EXPECT  pass
// WITHIN  strategy every runs 40 seed 1
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static pthread_key_t key;
static atomic_int destroyed;

static void destroy(void* value) {
  destroyed++;
  free(value);
}

static void* use(void* unused) {
  assert(pthread_getspecific(key) == NULL);
  int* mine = malloc(sizeof *mine);
  *mine = 1;
  pthread_setspecific(key, mine);
  assert(pthread_getspecific(key) == mine);
  return unused;
}

int main(void) {
  pthread_key_create(&key, destroy);
  pthread_t threads[3];
  for (int i = 0; i < 3; i++) pthread_create(&threads[i], NULL, use, NULL);
  for (int i = 0; i < 3; i++) pthread_join(threads[i], NULL);
  assert(destroyed == 3);
  pthread_key_delete(key);
  return 0;
}
