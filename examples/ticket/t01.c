// t01 (Fiedor et al. 2014, §4.4.1): "the data race is on a shared variable holding the number of a ticket allowed to enter a
// critical section. The variable is updated in a critical section, but then read outside of it."
//
// From the text: one variable, all writes under the lock, some read without it. Who reads it, and why without? A thread that
// wants in: it looks whether it is its turn already, before it takes the lock to wait. Nothing goes visibly wrong; a race
// detector tells.
#include "ticket.h"

static void* work(void* number) {
  unsigned seed = (unsigned)(long)number + 1;
  for (int ticket = draw_ticket(); ticket < kTickets; ticket = draw_ticket()) {
    rest(&seed);
    if (allowed != ticket) await_turn(ticket);
    advance();
    rest(&seed);
  }
  return NULL;
}

int main(void) {
  pthread_t threads[kThreads];
  start_all(threads, work);
  join_all(threads);
  return 0;
}
