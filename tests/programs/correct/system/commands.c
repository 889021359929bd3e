// WHAT    A thread runs commands by system, popen and posix_spawn while others count: what they do meanwhile is no matter of how long a
//         command takes.
// EXPECT  pass
// WITHIN  strategy every runs 20 seed 1
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <spawn.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>

enum { kThreads = 2, kRounds = 100 };

extern char** environ;
static atomic_int count;

static void* work(void* unused) {
  for (int i = 0; i < kRounds; i++) count++;
  return unused;
}

int main(void) {
  pthread_t threads[kThreads];
  for (int i = 0; i < kThreads; i++) pthread_create(&threads[i], NULL, work, NULL);
  assert(WEXITSTATUS(system("exit 3")) == 3);
  FILE* const stream = popen("echo 5", "r");
  int number = 0;
  assert(fscanf(stream, "%d", &number) == 1 && number == 5);
  assert(pclose(stream) == 0);
  pid_t child;
  char* arguments[] = {"sh", "-c", "exit 4", NULL};
  int status;
  assert(posix_spawn(&child, "/bin/sh", NULL, NULL, arguments, environ) == 0);
  assert(waitpid(child, &status, 0) == child && WEXITSTATUS(status) == 4);
  for (int i = 0; i < kThreads; i++) pthread_join(threads[i], NULL);
  return count == kThreads * kRounds ? 0 : 1;
}
