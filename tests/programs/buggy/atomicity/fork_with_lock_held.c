// WHAT    fork() while another thread holds a lock: in the child nobody will ever release it.
// EXPECT  failure exit
// WITHIN  strategy portfolio runs 500 seed 1
// REPLAYS 10/10
// CLASS   atomicity
// MIN_PREEMPTIONS 2
// DECISIVE main, keep_statistics
#include <pthread.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int statistics;

static void* keep_statistics(void* unused) {
  for (int i = 0; i < 3; i++) {
    pthread_mutex_lock(&lock);
    statistics++;
    pthread_mutex_unlock(&lock);
  }
  return unused;
}

int main(void) {
  pthread_t keeper;
  pthread_create(&keeper, NULL, keep_statistics, NULL);
  const pid_t child = fork();
  if (child == 0) _exit(pthread_mutex_trylock(&lock) == 0 ? 0 : 1);  // a lock() would never return
  int status = 0;
  waitpid(child, &status, 0);
  pthread_join(keeper, NULL);
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return 0;
  fprintf(stderr, "the child inherited a lock that is held for ever\n");
  return 1;
}
