// t04 (Fiedor et al. 2014, §4.3): "contains only a few unprotected write accesses, which might cause a data race and many
// unprotected read accesses". The paper says no more; here the lock is given back before the one write that ends a turn,
// and every thread that waits reads what is written whenever it wakes, and once before it takes the lock.
#include "ticket.h"

static void advance_late(void) {
  pthread_mutex_lock(&monitor);
  const int next = allowed + 1;
  pthread_mutex_unlock(&monitor);
  allowed = next;
  pthread_mutex_lock(&monitor);
  pthread_cond_broadcast(&advanced);
  pthread_mutex_unlock(&monitor);
}

static void* work(void* number) {
  unsigned seed = (unsigned)(long)number + 1;
  for (int ticket = draw_ticket(); ticket < kTickets; ticket = draw_ticket()) {
    rest(&seed);
    if (allowed != ticket) await_turn(ticket);
    advance_late();
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
