// WHAT    Two threads take two semaphores of System V's in opposite orders.
// EXPECT  failure deadlock   sites first_then_second, second_then_first
// CONTROL whole
// WITHIN  strategy portfolio runs 100 seed 1
// REPLAYS 20/20
// CLASS   deadlock
// MIN_PREEMPTIONS 1
#include <pthread.h>
#include <stddef.h>
#include <sys/sem.h>

static int set;

static void change(unsigned short place, short by) {
  struct sembuf operation = {place, by, 0};
  semop(set, &operation, 1);
}

static void* first_then_second(void* unused) {
  change(0, -1);
  change(1, -1);
  change(1, 1);
  change(0, 1);
  return unused;
}

static void* second_then_first(void* unused) {
  change(1, -1);
  change(0, -1);
  change(0, 1);
  change(1, 1);
  return unused;
}

int main(void) {
  set = semget(IPC_PRIVATE, 2, 0600);
  if (set < 0) return 77;
  change(0, 1);
  change(1, 1);
  pthread_t threads[2];
  pthread_create(&threads[0], NULL, first_then_second, NULL);
  pthread_create(&threads[1], NULL, second_then_first, NULL);
  pthread_join(threads[0], NULL);
  pthread_join(threads[1], NULL);
  semctl(set, 0, IPC_RMID);
  return 0;
}
