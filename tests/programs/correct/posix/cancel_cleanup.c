// WHAT    A thread cancelled in a condition wait owns the lock again in its clean-up handler.
// EXPECT  pass
// WITHIN  strategy every runs 40 seed 1
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t never = PTHREAD_COND_INITIALIZER;
static int cleaned;
static atomic_int survived;

static void clean_up(void* unused) {
  (void)unused;
  cleaned++;
  pthread_mutex_unlock(&lock);
}

static void* wait_for_ever(void* unused) {
  pthread_mutex_lock(&lock);
  pthread_cleanup_push(clean_up, NULL);
  for (;;) pthread_cond_wait(&never, &lock);
  pthread_cleanup_pop(0);
  return unused;
}

static void* not_now(void* unused) {
  int old;
  pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &old);
  for (int i = 0; i < 3; i++) pthread_testcancel();
  survived++;
  return unused;
}

int main(void) {
  pthread_t waiter, busy;
  void* result;
  pthread_create(&waiter, NULL, wait_for_ever, NULL);
  pthread_cancel(waiter);
  pthread_join(waiter, &result);
  assert(result == PTHREAD_CANCELED);
  assert(pthread_mutex_trylock(&lock) == 0);
  assert(cleaned <= 1);  // none if the cancellation came before the push
  pthread_mutex_unlock(&lock);

  pthread_create(&busy, NULL, not_now, NULL);
  pthread_join(busy, &result);
  assert(result == NULL && survived == 1);
  return 0;
}
