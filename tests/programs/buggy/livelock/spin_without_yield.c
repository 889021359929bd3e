// WHAT    A ticket lock whose owner forgets to serve the next number when it was alone: whoever
//         comes meanwhile spins, without even a yield.
// EXPECT  failure livelock   sites acquire
// WITHIN  strategy portfolio runs 1000 seed 1
// REPLAYS 5/5
// CLASS   livelock
// MIN_PREEMPTIONS 1
// DECISIVE release, acquire
#include <pthread.h>
#include <stdatomic.h>

static atomic_int next_ticket, now_serving;
static int protected_value;

static void acquire(void) {
  const int ticket = next_ticket++;
  while (now_serving != ticket) {
  }
}

static void release(void) {
  const int mine = now_serving;
  if (next_ticket ==
      mine + 1) {  // nobody waits: both counters start again, but someone may come just now
    now_serving = 0;
    next_ticket = 0;
  } else {
    now_serving = mine + 1;
  }
}

static void* work(void* unused) {
  acquire();
  protected_value++;
  release();
  return unused;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, NULL, work, NULL);
  pthread_create(&second, NULL, work, NULL);
  pthread_join(first, NULL);
  pthread_join(second, NULL);
  return 0;
}
