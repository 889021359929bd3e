// WHAT    A process with a second thread that writes to a log forks, and the child writes to the log,
//         too. If the thread held the log's lock at the fork, the child has a copy of it that is
//         locked, and nobody who could unlock it.
// EXPECT  failure deadlock   sites write_line
// WITHIN  strategy portfolio runs 500 seed 1
// REPLAYS 10/10
// CLASS   deadlock
// MIN_PREEMPTIONS 2
// DECISIVE write_line, main
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

static pthread_mutex_t log_lock = PTHREAD_MUTEX_INITIALIZER;
static int lines;

static void write_line(void) {
  pthread_mutex_lock(&log_lock);
  lines++;
  pthread_mutex_unlock(&log_lock);
}

static void* tick(void* argument) {
  for (int i = 0; i < 3; i++) write_line();
  return argument;
}

int main(void) {
  pthread_t ticker;
  pthread_create(&ticker, NULL, tick, NULL);
  const pid_t child = fork();
  if (child < 0) return 1;
  if (child == 0) {
    write_line();
    _exit(0);
  }
  int status;
  if (waitpid(child, &status, 0) != child) return 1;
  pthread_join(ticker, NULL);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}
