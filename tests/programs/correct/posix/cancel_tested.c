// WHAT    A thread works for ever and asks between pieces of its work whether it is cancelled, and by nothing else.
// EXPECT  pass
// WITHIN  strategy every runs 40 seed 1
// CONTROL whole
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static int cleaned;

static void clean(void* argument) {
  (void)argument;
  cleaned = 1;
}

static void* work(void* argument) {
  volatile unsigned own = 0;
  pthread_cleanup_push(clean, NULL);
  for (;;) {
    own = own + 1;
    pthread_testcancel();
  }
  pthread_cleanup_pop(0);
  return argument;
}

int main(void) {
  pthread_t thread;
  void* result = NULL;
  assert(pthread_create(&thread, NULL, work, NULL) == 0);
  assert(pthread_cancel(thread) == 0);
  assert(pthread_join(thread, &result) == 0);
  assert(result == PTHREAD_CANCELED && cleaned == 1);
  return 0;
}
