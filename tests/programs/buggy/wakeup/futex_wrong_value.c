// WHAT    A raw futex event: the waiter reads the sequence number after it tested the flag, so it
//         sleeps on a number that has already been announced.
// EXPECT  failure deadlock   sites wait_for_event
// WITHIN  strategy portfolio runs 500 seed 1
// REPLAYS 20/20
// CLASS   lost wake-up
// MIN_PREEMPTIONS 1
// DECISIVE wait_for_event, announce
#define _GNU_SOURCE
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <unistd.h>

static atomic_int sequence;
static atomic_int happened;

static void* wait_for_event(void* unused) {
  while (!happened) {
    const int seen = sequence;  // the bug: to be read before `happened`
    syscall(SYS_futex, &sequence, FUTEX_WAIT_PRIVATE, seen, NULL, NULL, 0);
  }
  return unused;
}

static void* announce(void* unused) {
  happened = 1;
  sequence++;
  syscall(SYS_futex, &sequence, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
  return unused;
}

int main(void) {
  pthread_t waiter, announcer;
  pthread_create(&waiter, NULL, wait_for_event, NULL);
  pthread_create(&announcer, NULL, announce, NULL);
  pthread_join(waiter, NULL);
  pthread_join(announcer, NULL);
  return 0;
}
