// WHAT    fork() from a program with threads: the child does its own work, with threads of its own,
//         and is waited for.
// EXPECT  pass
// WITHIN  strategy every runs 20 seed 1
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/wait.h>
#include <unistd.h>

static atomic_int counter;

static void* increase(void* unused) {
  counter++;
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, increase, NULL);
  const pid_t child = fork();
  assert(child >= 0);
  if (child == 0) {
    counter = 0;
    pthread_t own;
    pthread_create(&own, NULL, increase, NULL);
    pthread_join(own, NULL);
    _exit(counter == 1 ? 7 : 1);
  }
  int status;
  assert(waitpid(child, &status, 0) == child);
  assert(WIFEXITED(status) && WEXITSTATUS(status) == 7);
  pthread_join(thread, NULL);
  assert(counter == 1);
  return 0;
}
