// WHAT    Ships wait for the only berth with `if` instead of `while`: who leaves wakes all of them,
//         and the second to get the lock goes in too.
// EXPECT  failure crash   sites dock
// WITHIN  strategy portfolio runs 500 seed 1
// REPLAYS 20/20
// CLASS   atomicity|order violation
// MIN_PREEMPTIONS 2
// DECISIVE dock, leave|dock, dock
#include <assert.h>
#include <pthread.h>

enum { kShips = 3 };

static pthread_mutex_t harbour = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t left = PTHREAD_COND_INITIALIZER;
static int berths = 1;

static void dock(void) {
  pthread_mutex_lock(&harbour);
  if (berths == 0) pthread_cond_wait(&left, &harbour);
  assert(berths > 0);
  --berths;
  pthread_mutex_unlock(&harbour);
}

static void leave(void) {
  pthread_mutex_lock(&harbour);
  ++berths;
  pthread_cond_broadcast(&left);
  pthread_mutex_unlock(&harbour);
}

static void* ship(void* unused) {
  dock();
  leave();
  return unused;
}

int main(void) {
  pthread_t ships[kShips];
  for (int i = 0; i < kShips; ++i) pthread_create(&ships[i], 0, ship, 0);
  for (int i = 0; i < kShips; ++i) pthread_join(ships[i], 0);
  return 0;
}
