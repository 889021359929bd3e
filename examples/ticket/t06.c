// t06 (Fiedor et al. 2014, §4.4.1): "a data race on a timespec structure, shared among all threads, used to randomly generate
// the number of milliseconds that a thread should sleep before and after entering the monitor."
//
// From the text: one structure for all, filled and used at every rest. It is copied before the sleep because what the kernel
// reads is seen by no detector, neither here nor in the paper.
#include "ticket.h"

static struct timespec length;

static void rest_shared(unsigned* seed) {
  length.tv_sec = 0;
  length.tv_nsec = random_rest(seed);
  const struct timespec mine = length;
  nanosleep(&mine, NULL);
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
