// t04 (Fiedor et al. 2014, §4.3): "contains only a few unprotected write accesses, which might cause a data race and many
// unprotected read accesses". The paper says no more.
//
// From the text: one write for each ticket, without a lock, and many reads for each. A log of who served which ticket: whoever
// has its turn reads through all of it for tickets that nobody has signed for.
// From Table III, not from the text: the write comes just before the reads that it races with, so a late write is met and a
// late read is not. The mistake that has this order: a thread signs for its ticket after it has let the next one in.
#include "ticket.h"

static int served_by[kTickets];  // a thread's number from 1 on; 0: nobody yet

static void* work(void* number) {
  const int self = (int)(long)number + 1;
  unsigned seed = (unsigned)self;
  long unsigned_tickets = 0;
  for (int ticket = draw_ticket(); ticket < kTickets; ticket = draw_ticket()) {
    rest(&seed);
    await_turn(ticket);
    for (int before = 0; before < ticket; before++) unsigned_tickets += served_by[before] == 0;
    advance();
    served_by[ticket] = self;
    rest(&seed);
  }
  return (void*)unsigned_tickets;
}

int main(void) {
  pthread_t threads[kThreads];
  long unsigned_tickets = 0;
  start_all(threads, work);
  for (int i = 0; i < kThreads; i++) {
    void* found;
    pthread_join(threads[i], &found);
    unsigned_tickets += (long)found;
  }
  printf("%ld times a ticket was served that nobody had signed for\n", unsigned_tickets);
  return 0;
}
