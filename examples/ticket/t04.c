// t04 (Fiedor et al. 2014, §4.3): "contains only a few unprotected write accesses, which might cause a data race and many
// unprotected read accesses". The paper says no more.
//
// From the text: what is written a few times and read all the time, by the other threads, without a lock. That is the usual
// flag that tells everybody to stop: written once, looked at by every thread before each of its steps.
#include "ticket.h"

static int finished;  // set by whoever served the last ticket, read by all in every round

static void* work(void* number) {
  unsigned seed = (unsigned)(long)number + 1;
  while (!finished) {
    const int ticket = draw_ticket();
    if (ticket >= kTickets) break;
    rest(&seed);
    if (!finished) await_turn(ticket);
    if (ticket == kTickets - 1) finished = 1;
    advance();
    if (!finished) rest(&seed);
  }
  return NULL;
}

int main(void) {
  pthread_t threads[kThreads];
  start_all(threads, work);
  join_all(threads);
  return 0;
}
