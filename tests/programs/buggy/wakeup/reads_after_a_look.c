// WHAT    A thread looks whether a signal has come, and then reads, which the signal is to end: one that comes between the
//         look and the read has been handled by then, and the read waits for ever.
// EXPECT  failure timeout   sites await_signal
// WITHIN  strategy portfolio runs 200 seed 1
// REPLAYS 20/20
// CLASS   lost wake-up
// MIN_PREEMPTIONS 1
// DECISIVE await_signal, send
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <unistd.h>

static atomic_int came;
static pthread_t reader;
static int ends[2];

static void on_signal(int signal) {
  (void)signal;
  atomic_store(&came, 1);
}

static void* send(void* unused) {
  pthread_kill(reader, SIGUSR1);
  return unused;
}

static void await_signal(void) {
  char byte;
  while (atomic_load(&came) == 0) {
    if (read(ends[0], &byte, 1) > 0) break;
  }
}

int main(void) {
  struct sigaction action = {.sa_handler = on_signal};
  sigaction(SIGUSR1, &action, NULL);
  if (pipe(ends) != 0) return 1;
  reader = pthread_self();
  pthread_t sender;
  pthread_create(&sender, NULL, send, NULL);
  await_signal();
  pthread_join(sender, NULL);
  return 0;
}
