// t03 (Fiedor et al. 2014, §4.4.1): "a data race on a shared variable used to assign IDs to each of the threads. This variable
// is updated and read without any synchronization; however, all of these accesses happen when the threads are started one
// immediately after another, so the data race may only occur during this short time."
//
// From the text: each thread takes its number from the variable and counts it up as the first thing it does; nobody touches
// it later. When it happens two threads may have the same number, which main() finds out in the end.
#include "ticket.h"

static int next_id;
static int served[kThreads];

static void* work(void* unused) {
  const int id = next_id++;
  unsigned seed = (unsigned)id + 1;
  for (int ticket = draw_ticket(); ticket < kTickets; ticket = draw_ticket()) {
    rest(&seed);
    await_turn(ticket);
    advance();
    rest(&seed);
  }
  pthread_mutex_lock(&monitor);
  served[id]++;
  pthread_mutex_unlock(&monitor);
  return unused;
}

int main(void) {
  pthread_t threads[kThreads];
  start_all(threads, work);
  join_all(threads);
  for (int id = 0; id < kThreads; id++) {
    if (served[id] == 1) continue;
    fprintf(stderr, "t03: %d threads have the number %d\n", served[id], id);
    return 1;
  }
  return 0;
}
