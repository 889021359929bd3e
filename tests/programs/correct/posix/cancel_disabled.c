// WHAT    Who does not allow to be cancelled waits as ever, and is cancelled when it allows it again.
// EXPECT  pass
// WITHIN  strategy every runs 40 seed 1
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <time.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static sem_t has_begun, tokens;
static int ends[2];
static pthread_t sleeper;
static int ready, survived;

static void* sleep_for_a_while(void* unused) {
  nanosleep(&(struct timespec){0, 1000000}, NULL);
  return unused;
}

static void* wait_everywhere(void* unused) {
  (void)unused;
  int old = -1;
  assert(pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &old) == 0);
  assert(old == PTHREAD_CANCEL_ENABLE);
  sem_post(&has_begun);
  assert(sem_wait(&tokens) == 0);
  pthread_mutex_lock(&lock);
  while (!ready) assert(pthread_cond_wait(&changed, &lock) == 0);
  pthread_mutex_unlock(&lock);
  char byte = 0;
  assert(read(ends[0], &byte, 1) == 1 && byte == 'x');
  assert(nanosleep(&(struct timespec){0, 1000}, NULL) == 0);
  assert(pthread_join(sleeper, NULL) == 0);
  pthread_testcancel();
  survived = 1;
  assert(pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, &old) == 0);
  assert(old == PTHREAD_CANCEL_DISABLE);
  pthread_testcancel();
  survived = 2;
  return NULL;
}

int main(void) {
  pthread_t waiter;
  void* result;
  sem_init(&has_begun, 0, 0);
  sem_init(&tokens, 0, 0);
  assert(pipe(ends) == 0);
  pthread_create(&sleeper, NULL, sleep_for_a_while, NULL);
  pthread_create(&waiter, NULL, wait_everywhere, NULL);
  sem_wait(&has_begun);
  assert(pthread_cancel(waiter) == 0);
  sem_post(&tokens);
  pthread_mutex_lock(&lock);
  ready = 1;
  pthread_cond_signal(&changed);
  pthread_mutex_unlock(&lock);
  assert(write(ends[1], "x", 1) == 1);
  pthread_join(waiter, &result);
  assert(result == PTHREAD_CANCELED && survived == 1);
  return 0;
}
