// WHAT    A parent runs tests in children: one after the other, with signals and an alarm in its wait, two at once, one that becomes
//         another program, one with a child of its own, one that tests in children itself; with threads before, between and after.
// EXPECT  pass
// WITHIN  strategy every runs 15 seed 1
// NATIVE  slow
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int count;

static void* add(void* unused) {
  for (int i = 0; i < 2; i++) {
    pthread_mutex_lock(&lock);
    count++;
    pthread_mutex_unlock(&lock);
  }
  return unused;
}

static void run_two(void) {
  pthread_t threads[2];
  count = 0;
  for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, add, NULL);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
  assert(count == 4);
}

static int end_of(pid_t child) {
  int status = -1;
  pid_t found;
  while ((found = waitpid(child, &status, 0)) < 0) assert(errno == EINTR);
  assert(found == child);
  return status;
}

static void count_signal(int signal) {
  (void)signal;
  free(malloc(10));
}

static void just_run(void) { run_two(); }

static void signal_parent(void) {
  run_two();
  kill(getppid(), SIGUSR1);
  usleep(1000);
  run_two();
}

static void work_beyond_alarm(void) {
  for (int i = 0; i < 12; i++) sleep(1);
  run_two();
}

static void abort_test(void) {
  run_two();
  abort();
}

static void have_a_child(void) {
  const pid_t child = fork();
  if (child == 0) {
    run_two();
    _exit(7);
  }
  run_two();
  assert(WEXITSTATUS(end_of(child)) == 7);
}

static void pass_on(void) {
  for (int i = 0; i < 2; i++) {
    const pid_t child = fork();
    if (child == 0) {
      run_two();
      if (i == 1) abort();
      _exit(5);
    }
    const int status = end_of(child);
    assert(i == 1 ? WIFSIGNALED(status) : WEXITSTATUS(status) == 5);
    run_two();
  }
}

static void become_another(void) {
  execl("/bin/true", "true", (char*)NULL);
  _exit(1);
}

static pid_t start(void (*test)(void)) {
  const pid_t child = fork();
  assert(child >= 0);
  if (child != 0) return child;
  test();
  exit(0);
}

int main(void) {
  const struct sigaction action = {.sa_handler = count_signal};
  const struct itimerval soon = {{0, 0}, {10, 0}};
  sigaction(SIGALRM, &action, NULL);
  sigaction(SIGUSR1, &action, NULL);
  assert(end_of(start(just_run)) == 0);
  run_two();
  assert(end_of(start(signal_parent)) == 0);
  setitimer(ITIMER_REAL, &soon, NULL);
  assert(end_of(start(work_beyond_alarm)) == 0);
  run_two();
  const int aborted = end_of(start(abort_test));
  assert(WIFSIGNALED(aborted) && WTERMSIG(aborted) == SIGABRT);
  const pid_t one = start(just_run);
  const pid_t other = start(just_run);
  assert(end_of(one) == 0 && end_of(other) == 0);
  assert(end_of(start(have_a_child)) == 0);
  assert(end_of(start(pass_on)) == 0);
  run_two();
  assert(end_of(start(become_another)) == 0);
  run_two();
  return 0;
}
