// WHAT    A thread uses the handle of itself that its creator stores after the creation.
// EXPECT  failure crash   sites work
// WITHIN  strategy portfolio runs 200 seed 1
// REPLAYS 20/20
// CLASS   order violation
// MIN_PREEMPTIONS 1
// DECISIVE main, work
// ORIGIN  The shape of Mozilla's mThread order violation (Lu et al., 2008).
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

struct Thread {
  pthread_t handle;
  int state;
};

static struct Thread threads[1];
static struct Thread* _Atomic current;

static void* work(void* unused) {
  struct Thread* self = current;
  assert(self != NULL);
  self->state = 1;
  return unused;
}

static struct Thread* create(void) {
  pthread_create(&threads[0].handle, NULL, work, NULL);
  return &threads[0];
}

int main(void) {
  current = create();
  pthread_join(threads[0].handle, NULL);
  return 0;
}
