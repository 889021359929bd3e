// WHAT    The numbers of the process and its threads decide how much is done, and mean the same to everybody that they are given to: to
//         signals, to a child, to the scheduler, to a timer.
// EXPECT  pass
// WITHIN  strategy every runs 40 seed 1
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pid_t own_process, own_threads[2];
static volatile sig_atomic_t handled;
static int value;

static void handle(int signal) {
  (void)signal;
  handled++;
}

static void* work(void* which) {
  const pid_t own = gettid();
  own_threads[(long)which] = own;
  assert(getpid() == own_process && own != own_process);
  assert(syscall(SYS_gettid) == own && syscall(SYS_getpid) == own_process);
  assert(tgkill(own_process, own, 0) == 0);
  assert(sched_getscheduler(own) == SCHED_OTHER);
  for (int i = 0; i < (own ^ own_process << 1) % 5; i++) {
    pthread_mutex_lock(&lock);
    value++;
    pthread_mutex_unlock(&lock);
  }
  return NULL;
}

static void send_signals(void) {
  signal(SIGUSR1, handle);
  assert(kill(own_process, 0) == 0);
  assert(kill(own_process, SIGUSR1) == 0 && handled == 1);
  assert(tgkill(own_process, gettid(), SIGUSR1) == 0 && handled == 2);
  assert(syscall(SYS_tgkill, own_process, gettid(), SIGUSR1) == 0 && handled == 3);
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGUSR2);
  pthread_sigmask(SIG_BLOCK, &set, NULL);
  siginfo_t info;
  assert(kill(own_process, SIGUSR2) == 0);
  assert(sigwaitinfo(&set, &info) == SIGUSR2 && info.si_pid == own_process);
}

static void ask_child(void) {
  const pid_t child = fork();
  if (child == 0) {
    const int right = getppid() == own_process && getpid() != own_process && gettid() == getpid() &&
                      kill(own_process, 0) == 0;
    _exit(right ? 7 : 1);
  }
  int status;
  assert(waitpid(child, &status, 0) == child);
  assert(WIFEXITED(status) && WEXITSTATUS(status) == 7);
}

int main(void) {
  own_process = getpid();
  assert(gettid() == own_process && getpgid(own_process) == getpgrp());
  assert(getpriority(PRIO_PROCESS, (id_t)own_process) == getpriority(PRIO_PROCESS, 0));
  cpu_set_t processors;
  assert(sched_getaffinity(own_process, sizeof processors, &processors) == 0);
  send_signals();
  pthread_t threads[2];
  for (long i = 0; i < 2; i++) pthread_create(&threads[i], NULL, work, (void*)i);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
  assert(own_threads[0] != own_threads[1]);
  ask_child();
  return 0;
}
