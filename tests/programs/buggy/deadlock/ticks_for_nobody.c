// WHAT    Two threads wait for each other. An alarm goes off every second all the while, and its handler counts:
//         nobody wakes up from that.
// EXPECT  failure deadlock
// WITHIN  strategy portfolio runs 10 seed 1
// REPLAYS 5/5
// CLASS   deadlock
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stddef.h>
#include <sys/time.h>

static sem_t question;
static sem_t answer;
static volatile sig_atomic_t seconds;

static void on_alarm(int number) {
  (void)number;
  seconds = seconds + 1;
}

static void* ask(void* unused) {
  sem_wait(&answer);
  sem_post(&question);
  return unused;
}

int main(void) {
  sem_init(&question, 0, 0);
  sem_init(&answer, 0, 0);
  const struct sigaction action = {.sa_handler = on_alarm, .sa_flags = SA_RESTART};
  sigaction(SIGALRM, &action, NULL);
  const struct itimerval every_second = {{1, 0}, {1, 0}};
  setitimer(ITIMER_REAL, &every_second, NULL);
  pthread_t thread;
  pthread_create(&thread, NULL, ask, NULL);
  sem_wait(&question);
  sem_post(&answer);
  pthread_join(thread, NULL);
  return 0;
}
