// WHAT    A snapshot thread waits on a condition variable for a flag; the requester sets the flag
//         and signals without holding the mutex, so that both can fall between the waiter's look at
//         the flag and its wait, and the signal is lost.
// EXPECT  failure deadlock   sites wait_for_request
// WITHIN  strategy portfolio runs 1000 seed 1
// REPLAYS 20/20
// CLASS   lost wake-up
// MIN_PREEMPTIONS 2
// DECISIVE wait_for_request, request_snapshot
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>

enum { PAGES = 4 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t asked = PTHREAD_COND_INITIALIZER;
static atomic_bool requested;
static int pages[PAGES];
static int copy[PAGES];

static void wait_for_request(void) {
  pthread_mutex_lock(&lock);
  while (!atomic_load(&requested)) pthread_cond_wait(&asked, &lock);
  pthread_mutex_unlock(&lock);
}

static void* snapshot_thread(void* arg) {
  (void)arg;
  wait_for_request();
  for (int i = 0; i < PAGES; i++) copy[i] = pages[i];
  return NULL;
}

static void request_snapshot(void) {
  atomic_store(&requested, true);
  pthread_cond_signal(&asked);
}

int main(void) {
  pthread_t snapshot;
  pthread_create(&snapshot, NULL, snapshot_thread, NULL);
  for (int i = 0; i < PAGES; i++) pages[i] = i * i;  // before the flag, so the snapshot sees them
  request_snapshot();
  pthread_join(snapshot, NULL);
  for (int i = 0; i < PAGES; i++)
    if (copy[i] != i * i) return 1;
  puts("snapshot taken");
  return 0;
}
