// WHAT    Threads that wait for a condition are woken, and cancelled before they have the mutex again: each goes on holding it,
//         or ends with its clean-up handler holding it.
// EXPECT  pass
// CONTROL whole
// WITHIN  strategy every runs 40 seed 1
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

enum { kWaiters = 2 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t told = PTHREAD_COND_INITIALIZER;
static pthread_cond_t arrived = PTHREAD_COND_INITIALIZER;
static int waiting, inside, cleaned;

static void clean_up(void* unused) {
  (void)unused;
  assert(inside == 0);
  cleaned++;
  pthread_mutex_unlock(&lock);
}

static void* wait_to_be_told(void* unused) {
  pthread_mutex_lock(&lock);
  waiting++;
  pthread_cond_signal(&arrived);
  pthread_cleanup_push(clean_up, NULL);
  for (;;) {
    pthread_cond_wait(&told, &lock);
    inside++;
    inside--;
  }
  pthread_cleanup_pop(0);
  return unused;
}

int main(void) {
  pthread_t threads[kWaiters];
  for (int i = 0; i < kWaiters; i++) pthread_create(&threads[i], NULL, wait_to_be_told, NULL);
  pthread_mutex_lock(&lock);
  while (waiting < kWaiters) pthread_cond_wait(&arrived, &lock);
  pthread_cond_broadcast(&told);
  for (int i = 0; i < kWaiters; i++) pthread_cancel(threads[i]);
  pthread_mutex_unlock(&lock);
  for (int i = 0; i < kWaiters; i++) {
    void* end;
    pthread_join(threads[i], &end);
    assert(end == PTHREAD_CANCELED);
  }
  assert(cleaned == kWaiters);
  return 0;
}
