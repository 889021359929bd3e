// WHAT    A thread that may be cancelled at any moment ends wherever it is: in a lock, a barrier, a loop, or before itself.
// EXPECT  pass
// WITHIN  strategy every runs 15 seed 1
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stddef.h>

static pthread_mutex_t held = PTHREAD_MUTEX_INITIALIZER;
static pthread_barrier_t never;
static sem_t is_there;
static atomic_int cleaned;
static atomic_long turns;

static void clean_up(void* unused) {
  (void)unused;
  cleaned++;
}

static void be_cancelled_at_once(void) {
  int old = -1;
  assert(pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, &old) == 0);
  assert(old == PTHREAD_CANCEL_DEFERRED);
  sem_post(&is_there);
}

static void* lock(void* unused) {
  (void)unused;
  pthread_cleanup_push(clean_up, NULL);
  be_cancelled_at_once();
  pthread_mutex_lock(&held);
  assert(0);
  pthread_cleanup_pop(0);
  return NULL;
}

static void* arrive(void* unused) {
  (void)unused;
  pthread_cleanup_push(clean_up, NULL);
  be_cancelled_at_once();
  pthread_barrier_wait(&never);
  assert(0);
  pthread_cleanup_pop(0);
  return NULL;
}

static void* work(void* unused) {
  (void)unused;
  pthread_cleanup_push(clean_up, NULL);
  be_cancelled_at_once();
  for (;;) turns++;
  pthread_cleanup_pop(0);
  return NULL;
}

static void* cancel_myself(void* unused) {
  (void)unused;
  pthread_cleanup_push(clean_up, NULL);
  be_cancelled_at_once();
  pthread_cancel(pthread_self());
  assert(0);
  pthread_cleanup_pop(0);
  return NULL;
}

static void* wait_to_be_cancelled(void* unused) {
  (void)unused;
  int old = -1;
  pthread_cleanup_push(clean_up, NULL);
  assert(pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, NULL) == 0);
  be_cancelled_at_once();
  assert(pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, &old) == 0);
  assert(old == PTHREAD_CANCEL_ASYNCHRONOUS);
  pthread_mutex_lock(&held);
  pthread_mutex_unlock(&held);
  assert(pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, NULL) == 0);
  assert(0);
  pthread_cleanup_pop(0);
  return NULL;
}

static void end(pthread_t thread) {
  void* result = NULL;
  assert(pthread_join(thread, &result) == 0);
  assert(result == PTHREAD_CANCELED);
}

int main(void) {
  void* (*const routines[])(void*) = {lock, arrive, work};
  pthread_t thread;
  sem_init(&is_there, 0, 0);
  pthread_barrier_init(&never, NULL, 2);
  pthread_mutex_lock(&held);
  for (size_t i = 0; i < sizeof routines / sizeof *routines; i++) {
    pthread_create(&thread, NULL, routines[i], NULL);
    sem_wait(&is_there);
    assert(pthread_cancel(thread) == 0);
    end(thread);
  }
  pthread_create(&thread, NULL, cancel_myself, NULL);
  sem_wait(&is_there);
  end(thread);

  pthread_create(&thread, NULL, wait_to_be_cancelled, NULL);
  sem_wait(&is_there);
  assert(pthread_cancel(thread) == 0);
  pthread_mutex_unlock(&held);
  end(thread);
  assert(cleaned == 5);
  return 0;
}
