// WHAT    A thread starts another program and reads what it prints.
// EXPECT  pass
// WITHIN  strategy every runs 20 seed 1
#include <assert.h>
#include <pthread.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char** environ;

static void* run_echo(void* unused) {
  int ends[2];
  assert(pipe(ends) == 0);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, ends[1], 1);
  posix_spawn_file_actions_addclose(&actions, ends[0]);
  char* const arguments[] = {"/bin/echo", "hello", NULL};
  pid_t child;
  assert(posix_spawn(&child, "/bin/echo", &actions, NULL, arguments, environ) == 0);
  posix_spawn_file_actions_destroy(&actions);
  close(ends[1]);
  char text[16] = {0};
  size_t length = 0;
  for (ssize_t n; (n = read(ends[0], text + length, sizeof text - 1 - length)) > 0;)
    length += (size_t)n;
  close(ends[0]);
  int status;
  assert(waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0);
  assert(strcmp(text, "hello\n") == 0);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, run_echo, NULL);
  pthread_join(thread, NULL);
  return 0;
}
