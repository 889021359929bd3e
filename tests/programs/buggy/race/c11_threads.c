// WHAT    C11 threads: the reader of a pair locks, one of its writers does not.
// EXPECT  failure exit
// WITHIN  strategy portfolio runs 500 seed 1
// REPLAYS 20/20
// CLASS   data race
// MIN_PREEMPTIONS 1
// DECISIVE move_point, read_point
#include <stdio.h>
#include <threads.h>

static mtx_t lock;
static int x, y;

static int move_point(void* unused) {
  (void)unused;
  x = 1;
  y = 1;
  return 0;
}

static int read_point(void* unused) {
  (void)unused;
  mtx_lock(&lock);
  const int distance = x - y;
  mtx_unlock(&lock);
  return distance;
}

int main(void) {
  mtx_init(&lock, mtx_plain);
  thrd_t mover, reader;
  thrd_create(&mover, move_point, NULL);
  thrd_create(&reader, read_point, NULL);
  int distance;
  thrd_join(mover, NULL);
  thrd_join(reader, &distance);
  mtx_destroy(&lock);
  if (distance == 0) return 0;
  fprintf(stderr, "half a move was seen\n");
  return 1;
}
