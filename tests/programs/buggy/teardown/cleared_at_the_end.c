// WHAT    main() takes the table away as its last act, and a detached thread that is still there uses it.
// EXPECT  failure crash
// CONTROL whole
// WITHIN  strategy portfolio runs 300 seed 1
// REPLAYS 20/20
// CLASS   teardown
// MIN_PREEMPTIONS 1
// DECISIVE main, add_up
#include <pthread.h>
#include <stddef.h>

static int table[2] = {1, 2};
static int* volatile in_use = table;

static void* add_up(void* unused) {
  for (int i = 0; i < 2; i++) in_use[i]++;
  return unused;
}

int main(void) {
  pthread_t worker;
  pthread_create(&worker, NULL, add_up, NULL);
  pthread_detach(worker);
  in_use = NULL;
  return 0;
}
