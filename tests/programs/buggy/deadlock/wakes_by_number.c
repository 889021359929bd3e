// WHAT    A runtime wakes its worker by tgkill with a real-time signal, to have it look at its queue. The handler takes the queue's lock, which the
//         worker may have at that moment.
// EXPECT  failure deadlock   sites look, push
// WITHIN  strategy portfolio runs 100 seed 1
// REPLAYS 20/20
// CLASS   deadlock
// MIN_PREEMPTIONS 1
#define _GNU_SOURCE
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static sem_t begun;
static pid_t worker;
static int queued;
static int seen;

static void look(int number) {
  (void)number;
  pthread_mutex_lock(&lock);
  seen = queued;
  pthread_mutex_unlock(&lock);
}

static void push(void) {
  pthread_mutex_lock(&lock);
  queued++;
  pthread_mutex_unlock(&lock);
}

static void* work(void* unused) {
  worker = gettid();
  sem_post(&begun);
  for (int i = 0; i < 5; i++) push();
  return unused;
}

int main(void) {
  signal(SIGRTMIN + 3, look);
  sem_init(&begun, 0, 0);
  pthread_t thread;
  pthread_create(&thread, NULL, work, NULL);
  sem_wait(&begun);
  tgkill(getpid(), worker, SIGRTMIN + 3);
  pthread_join(thread, NULL);
  printf("%d of %d\n", seen, queued);
  return 0;
}
