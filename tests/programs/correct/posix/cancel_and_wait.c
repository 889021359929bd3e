// WHAT    Clean-up handlers of a cancelled thread wait like anybody else; so does the handler of a signal that is cancelled in.
// EXPECT  pass
// WITHIN  strategy every runs 40 seed 1
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdatomic.h>
#include <unistd.h>

static sem_t is_there, tokens, never;
static pthread_barrier_t together;
static int silent[2];
static atomic_int taken, in_handler, cleaned;

static void take_a_token(void* unused) {
  (void)unused;
  assert(sem_wait(&tokens) == 0);
  taken++;
}

static void* wait_in_semaphore(void* unused) {
  pthread_cleanup_push(take_a_token, NULL);
  sem_post(&is_there);
  for (;;) sem_wait(&never);
  pthread_cleanup_pop(0);
  return unused;
}

static void* wait_in_kernel(void* unused) {
  char byte;
  pthread_cleanup_push(take_a_token, NULL);
  sem_post(&is_there);
  read(silent[0], &byte, 1);
  pthread_cleanup_pop(0);
  return unused;
}

static void* leave(void* unused) {
  pthread_cleanup_push(take_a_token, NULL);
  sem_post(&is_there);
  pthread_exit(PTHREAD_CANCELED);
  pthread_cleanup_pop(0);
  return unused;
}

static void count(void* unused) {
  (void)unused;
  cleaned++;
}

static void read_in_handler(int signal) {
  (void)signal;
  char byte;
  pthread_cleanup_push(count, NULL);
  in_handler = 1;
  sem_post(&is_there);
  read(silent[0], &byte, 1);
  pthread_cleanup_pop(0);
}

static void* be_interrupted(void* unused) {
  char byte;
  pthread_cleanup_push(count, NULL);
  pthread_barrier_wait(&together);
  read(silent[0], &byte, 1);
  pthread_cleanup_pop(0);
  return unused;
}

static void end(pthread_t thread) {
  void* result = NULL;
  assert(pthread_join(thread, &result) == 0);
  assert(result == PTHREAD_CANCELED);
}

int main(void) {
  void* (*const routines[])(void*) = {wait_in_semaphore, wait_in_kernel, leave};
  pthread_t thread;
  sem_init(&is_there, 0, 0);
  sem_init(&tokens, 0, 0);
  sem_init(&never, 0, 0);
  pthread_barrier_init(&together, NULL, 2);
  assert(pipe(silent) == 0);
  for (int i = 0; i < 3; i++) {
    pthread_create(&thread, NULL, routines[i], NULL);
    sem_wait(&is_there);
    pthread_cancel(thread);  // who leaves is on its way already
    sem_post(&tokens);
    end(thread);
    assert(taken == i + 1);
  }

  struct sigaction action = {.sa_handler = read_in_handler};
  assert(sigaction(SIGUSR1, &action, NULL) == 0);
  pthread_create(&thread, NULL, be_interrupted, NULL);
  pthread_barrier_wait(&together);
  assert(pthread_kill(thread, SIGUSR1) == 0);
  sem_wait(&is_there);
  assert(in_handler == 1);
  assert(pthread_cancel(thread) == 0);
  end(thread);
  assert(cleaned == 2);
  return 0;
}
