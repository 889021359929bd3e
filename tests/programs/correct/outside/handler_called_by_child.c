// WHAT    A child ends, or sends a signal, while threads of its parent wait for each other: the handler posts what they wait
//         for, so that nobody waits for ever.
// EXPECT  pass
// WITHIN  strategy random runs 4 seed 1
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stddef.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static sem_t ended;
static sem_t sent;

static void on_end(int signal) {
  (void)signal;
  sem_post(&ended);
}

static void on_news(int signal) {
  (void)signal;
  sem_post(&sent);
}

static void handle(int signal, void (*handler)(int)) {
  struct sigaction action = {.sa_handler = handler, .sa_flags = SA_RESTART};
  assert(sigaction(signal, &action, NULL) == 0);
}

static void take(sem_t* semaphore) {
  while (sem_wait(semaphore) != 0) {
  }
}

static void* waiter(void* unused) {
  (void)unused;
  take(&sent);
  take(&ended);
  return NULL;
}

int main(void) {
  sem_init(&ended, 0, 0);
  sem_init(&sent, 0, 0);
  handle(SIGCHLD, on_end);
  handle(SIGUSR1, on_news);
  pthread_t thread;
  pthread_create(&thread, NULL, waiter, NULL);
  const pid_t child = fork();
  if (child == 0) {
    const struct timespec a_while = {0, 30 * 1000 * 1000};
    nanosleep(&a_while, NULL);
    kill(getppid(), SIGUSR1);
    nanosleep(&a_while, NULL);
    _exit(0);
  }
  pthread_join(thread, NULL);
  assert(waitpid(child, NULL, 0) == child);
  return 0;
}
