// t05 (Fiedor et al. 2014, §4.3 and §4.4.1): "a rarely occurring data race on individual items of a shared array where each
// item may be accessed by the main thread and one of the other threads simultaneously just before the main thread starts to
// wait for the second thread to end (join)"; "only a few unprotected read accesses and many unprotected write accesses".
//
// From the text: an item for each thread; the main thread is the one that reads, each item once, just before the join; so the
// many writes are the other thread's, all through its work. Here it notes in its item how far it is.
#include "ticket.h"

enum { kResting = 1, kWaiting, kInside, kDone };

static int progress[kThreads];

static void* work(void* number) {
  const long self = (long)number;
  unsigned seed = (unsigned)self + 1;
  for (int ticket = draw_ticket(); ticket < kTickets; ticket = draw_ticket()) {
    progress[self] = kResting;
    rest(&seed);
    progress[self] = kWaiting;
    await_turn(ticket);
    progress[self] = kInside;
    advance();
    progress[self] = kResting;
    rest(&seed);
  }
  progress[self] = kDone;
  return NULL;
}

int main(void) {
  pthread_t threads[kThreads];
  int late = 0;
  start_all(threads, work);
  for (int i = 0; i < kThreads; i++) {
    if (progress[i] != kDone) late++;
    pthread_join(threads[i], NULL);
  }
  printf("%d threads had to be waited for\n", late);
  return 0;
}
