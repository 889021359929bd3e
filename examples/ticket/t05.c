// t05 (Fiedor et al. 2014, §4.3 and §4.4.1): "a rarely occurring data race on individual items of a shared array where each
// item may be accessed by the main thread and one of the other threads simultaneously just before the main thread starts to
// wait for the second thread to end (join)"; "only a few unprotected read accesses and many unprotected write accesses".
//
// From the text: an item for each thread; the main thread is the one that reads, each item once, just before the join; so the
// many writes are the other thread's, all through its work. Here it notes in its item how far it is.
// From Table III, not from the text: the read comes shortly before a write of that thread, so a late read is met and a late
// write is not. What has this order: the main thread lets the others leave one by one and looks at each at once instead of after
// the join; they look every millisecond whether they may leave, and sign off before they are done.
// From Table II, not from the text: between that and the write or the read each of the two does something of its own, where noise
// can keep it. Here it notes a line, as a student would print one; what printf does inside is seen by binary instrumentation
// only, so the line is put together here.
#include "ticket.h"

enum { kResting = 1, kWaiting, kInside, kDone };

static int progress[kThreads];

// What a thread notes for itself, a line for each thing; printed in the end.
struct journal {
  char text[400];
  char* end;
  int entered;
  int rests;
};
static struct journal journals[kThreads + 1];
static struct journal* const of_main = &journals[kThreads];

static long leaver = -1;  // threads up to this number may leave
static int entered;
static int rests;

static void note(struct journal* journal, char what, int number) {
  char* end = journal->end;
  *end++ = what;
  *end++ = ' ';
  *end++ = (char)('0' + number / 10);
  *end++ = (char)('0' + number % 10);
  *end++ = '\n';
  journal->end = end;
}

static int may_leave(long self) {
  pthread_mutex_lock(&monitor);
  const int may = leaver >= self;
  pthread_mutex_unlock(&monitor);
  return may;
}

static void let_leave(long number) {
  pthread_mutex_lock(&monitor);
  leaver = number;
  pthread_mutex_unlock(&monitor);
}

static void sign_off(const struct journal* own) {
  pthread_mutex_lock(&monitor);
  entered += own->entered;
  rests += own->rests;
  pthread_mutex_unlock(&monitor);
}

static void* work(void* number) {
  const long self = (long)number;
  struct journal* const own = &journals[self];
  unsigned seed = (unsigned)self + 1;
  for (int ticket = draw_ticket(); ticket < kTickets; ticket = draw_ticket()) {
    progress[self] = kResting;
    rest(&seed);
    progress[self] = kWaiting;
    await_turn(ticket);
    progress[self] = kInside;
    note(own, 'E', ticket);
    own->entered++;
    advance();
    progress[self] = kResting;
    rest(&seed);
    own->rests += 2;
  }
  const struct timespec nap = {0, 1000000};
  while (!may_leave(self)) nanosleep(&nap, NULL);
  sign_off(own);
  note(own, 'L', own->entered);
  progress[self] = kDone;
  return NULL;
}

int main(void) {
  pthread_t threads[kThreads];
  int late = 0;
  for (int i = 0; i <= kThreads; i++) journals[i].end = journals[i].text;
  start_all(threads, work);
  for (int i = 0; i < kThreads; i++) {
    let_leave(i);
    note(of_main, 'W', i);
    if (progress[i] != kDone) late++;
    pthread_join(threads[i], NULL);
  }
  for (int i = 0; i <= kThreads; i++) fputs(journals[i].text, stdout);
  printf("%d threads had to be waited for, %d entered, %d rests\n", late, entered, rests);
  return 0;
}
