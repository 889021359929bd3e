// clean: "Clean", the Remote Agent example of rstest (Stoller, 2002), after NASA's spacecraft
// controller.
//
// The paper  Two tasks interact through two events. An event is a bounded counter with synchronized
//            wait_for_event() and signal_event(). Each task, in an infinite loop, waits for the
//            other's event unless its counter has changed since last seen, and signals its own. No
//            deadlock in 10 minutes; after 0.5 s with rstest.
// The bug    The counter is compared outside the monitor. A signal between that check and the wait
//            is lost, and both tasks wait for ever.
// It fails   by a deadlock (a lost wake-up). The loops are bounded here, so that a run that meets
//            no bug ends.
#include <pthread.h>
#include <stdio.h>

enum { kRounds = 10, kBound = 3, kWork = 100000 };

struct Event {
  pthread_mutex_t monitor;
  pthread_cond_t signalled;
  int count;
};

static struct Event event1 = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, 0};
static struct Event event2 = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, 0};

static void wait_for_event(struct Event* event) {
  pthread_mutex_lock(&event->monitor);
  pthread_cond_wait(&event->signalled, &event->monitor);
  pthread_mutex_unlock(&event->monitor);
}

static void signal_event(struct Event* event) {
  pthread_mutex_lock(&event->monitor);
  event->count = (event->count + 1) % kBound;
  pthread_cond_broadcast(&event->signalled);
  pthread_mutex_unlock(&event->monitor);
}

// What a task does before it signals. It takes longer than the other task needs to reach its wait,
// which is why a machine with nothing else to do hides the bug.
static void work(void) {
  for (volatile int i = 0; i < kWork; i++) {
  }
}

static void* first_task(void* unused) {
  int count = 0;
  for (int i = 0; i < kRounds; i++) {
    if (count == event1.count) wait_for_event(&event1);
    count = event1.count;
    work();
    signal_event(&event2);
  }
  return unused;
}

static void* second_task(void* unused) {
  int count = 0;
  for (int i = 0; i < kRounds; i++) {
    work();
    signal_event(&event1);
    if (count == event2.count) wait_for_event(&event2);
    count = event2.count;
  }
  return unused;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, NULL, first_task, NULL);
  pthread_create(&second, NULL, second_task, NULL);
  pthread_join(first, NULL);
  pthread_join(second, NULL);
  printf("%d rounds\n", kRounds);
  return 0;
}
