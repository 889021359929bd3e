// WHAT    Threads read the ticket outside the critical section that moves it on: two get the same.
// EXPECT  failure exit
// WITHIN  strategy portfolio runs 500 seed 1
// REPLAYS 20/20
// CLASS   data race
// MIN_PREEMPTIONS 1
// DECISIVE take_ticket, take_ticket
// ORIGIN  Program t01 of Fiedor et al. (2018).
#include <pthread.h>
#include <stdio.h>

enum { kThreads = 3 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int next_ticket;
static int tickets[kThreads];

static void* take_ticket(void* argument) {
  *(int*)argument = next_ticket;
  pthread_mutex_lock(&lock);
  next_ticket++;
  pthread_mutex_unlock(&lock);
  return NULL;
}

int main(void) {
  pthread_t threads[kThreads];
  for (int i = 0; i < kThreads; i++) pthread_create(&threads[i], NULL, take_ticket, &tickets[i]);
  for (int i = 0; i < kThreads; i++) pthread_join(threads[i], NULL);
  int seen[kThreads] = {0};
  for (int i = 0; i < kThreads; i++) seen[tickets[i]]++;
  for (int i = 0; i < kThreads; i++) {
    if (seen[i] != 1) {
      fprintf(stderr, "ticket %d was handed out %d times\n", i, seen[i]);
      return 1;
    }
  }
  return 0;
}
