// WHAT    A test that runs in a child of its own takes two locks in opposite orders.
// EXPECT  failure deadlock   sites first_then_second, second_then_first
// CONTROL whole
// WITHIN  strategy portfolio runs 100 seed 1
// REPLAYS 20/20
// CLASS   deadlock
// MIN_PREEMPTIONS 1
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <sys/wait.h>
#include <unistd.h>

static pthread_mutex_t first = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t second = PTHREAD_MUTEX_INITIALIZER;

static void take_both(pthread_mutex_t* one, pthread_mutex_t* other) {
  pthread_mutex_lock(one);
  pthread_mutex_lock(other);
  pthread_mutex_unlock(other);
  pthread_mutex_unlock(one);
}

static void* first_then_second(void* unused) {
  take_both(&first, &second);
  return unused;
}

static void* second_then_first(void* unused) {
  take_both(&second, &first);
  return unused;
}

static volatile sig_atomic_t took_too_long;

static void end_test(int signal) {
  (void)signal;
  took_too_long = 1;
}

int main(void) {
  const struct sigaction action = {.sa_handler = end_test};
  int status = 0;
  sigaction(SIGALRM, &action, NULL);
  alarm(60);
  const pid_t child = fork();
  if (child == 0) {
    pthread_t threads[2];
    pthread_create(&threads[0], NULL, first_then_second, NULL);
    pthread_create(&threads[1], NULL, second_then_first, NULL);
    for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
    _exit(0);
  }
  if (waitpid(child, &status, 0) < 0 && took_too_long) kill(child, SIGKILL);
  return status != 0;
}
