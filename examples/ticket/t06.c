// t06 (Fiedor et al. 2014, §4.4.1): "a data race on a timespec structure, shared among all threads, used to randomly generate
// the number of milliseconds that a thread should sleep before and after entering the monitor."
//
// From the text: one structure for all, filled at every rest. The kernel reads it, which no detector sees, neither here nor in
// the paper, so what races are the writes. The paper gives no sizes; with ten threads and thirty tickets every run has a race
// under any noise of Table II.
#define TICKET_THREADS 3
#define TICKET_TICKETS 10
#include "ticket.h"

static struct timespec length;

static void rest_shared(unsigned* seed) {
  length.tv_nsec = random_rest(seed);
  nanosleep(&length, NULL);
}

static void* work(void* number) {
  unsigned seed = (unsigned)(long)number + 1;
  for (int ticket = draw_ticket(); ticket < kTickets; ticket = draw_ticket()) {
    rest_shared(&seed);
    await_turn(ticket);
    advance();
    rest_shared(&seed);
  }
  return NULL;
}

int main(void) {
  pthread_t threads[kThreads];
  start_all(threads, work);
  join_all(threads);
  return 0;
}
