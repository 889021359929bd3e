// WHAT    Two semaphores used as locks, taken in opposite orders: no lock graph sees them.
// EXPECT  failure deadlock   sites take_both
// WITHIN  strategy portfolio runs 500 seed 1
// REPLAYS 20/20
// CLASS   deadlock
// MIN_PREEMPTIONS 1
// DECISIVE take_both, take_both|copy, fax
#include <pthread.h>
#include <semaphore.h>

static sem_t printer, scanner;

static void take_both(sem_t* first, sem_t* second) {
  sem_wait(first);
  sem_wait(second);
  sem_post(second);
  sem_post(first);
}

static void* copy(void* unused) {
  take_both(&printer, &scanner);
  return unused;
}

static void* fax(void* unused) {
  take_both(&scanner, &printer);
  return unused;
}

int main(void) {
  sem_init(&printer, 0, 1);
  sem_init(&scanner, 0, 1);
  pthread_t copier, sender;
  pthread_create(&copier, NULL, copy, NULL);
  pthread_create(&sender, NULL, fax, NULL);
  pthread_join(copier, NULL);
  pthread_join(sender, NULL);
  return 0;
}
