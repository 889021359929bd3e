// WHAT    Spin locks and pthread_once.
// EXPECT  pass
// WITHIN  strategy every runs 40 seed 1
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static pthread_spinlock_t lock;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static int initialised, value;

static void initialise(void) { initialised++; }

static void* work(void* unused) {
  pthread_once(&once, initialise);
  assert(initialised == 1);
  for (int i = 0; i < 3; i++) {
    pthread_spin_lock(&lock);
    value++;
    pthread_spin_unlock(&lock);
  }
  return unused;
}

int main(void) {
  pthread_spin_init(&lock, PTHREAD_PROCESS_PRIVATE);
  pthread_t threads[3];
  for (int i = 0; i < 3; i++) pthread_create(&threads[i], NULL, work, NULL);
  for (int i = 0; i < 3; i++) pthread_join(threads[i], NULL);
  assert(value == 9);
  assert(pthread_spin_trylock(&lock) == 0);
  assert(pthread_spin_trylock(&lock) == EBUSY);
  pthread_spin_unlock(&lock);
  return 0;
}
