// WHAT    Signals for a thread by its number, real-time ones and some with a value: each is handled in the right thread, those of one number
//         in order and none left out, with what was sent along; they end waits; one that is blocked is waited for or read; what the
//         kernel refuses is refused.
// EXPECT  pass
// WITHIN  strategy every runs 20 seed 1
// CONTROL whole
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { kEach = 6 };

static sem_t ready, handled, done;
static pid_t number;  // of the thread that signals go to
static pthread_t target;
static int values[kEach];
static int sent[kEach];
static int count, wrong, code;
static atomic_int interrupted;

static void handle(int signal, siginfo_t* info, void* context) {
  (void)signal, (void)context;
  if (!pthread_equal(pthread_self(), target)) wrong++;
  if (info->si_code != code || info->si_pid != getpid() || info->si_uid != getuid()) wrong++;
  if (code == SI_QUEUE && sent[info->si_value.sival_int] != 1) wrong++;
  if (count < kEach) values[count] = code == SI_QUEUE ? info->si_value.sival_int : count;
  count++;
  sem_post(&handled);
}

static void nothing(int signal) { (void)signal; }

static void* be_target(void* unused) {
  number = gettid();
  target = pthread_self();
  sem_post(&ready);
  while (sem_wait(&done) != 0) assert(errno == EINTR);
  return unused;
}

static void wait_for(sem_t* semaphore) {
  while (sem_wait(semaphore) != 0) assert(errno == EINTR);
}

static pthread_t begin(void* (*routine)(void*), int expected_code) {
  pthread_t thread;
  count = wrong = 0;
  code = expected_code;
  memset(sent, 0, sizeof sent);
  assert(pthread_create(&thread, NULL, routine, NULL) == 0);
  wait_for(&ready);
  return thread;
}

static void end(pthread_t thread, int expected) {
  for (int i = 0; i < expected; i++) wait_for(&handled);
  sem_post(&done);
  assert(pthread_join(thread, NULL) == 0);
  assert(count == expected && wrong == 0);
  for (int i = 0; i < expected; i++) assert(values[i] == i);
}

static long queue_raw(int signal, int info_code, int value) {
  siginfo_t info;
  memset(&info, 0, sizeof info);
  info.si_code = info_code;
  info.si_pid = getpid();
  info.si_uid = getuid();
  info.si_value.sival_int = value;
  return syscall(SYS_rt_tgsigqueueinfo, getpid(), number, signal, &info);
}

static void by_number(void) {
  pthread_t thread = begin(be_target, SI_TKILL);
  assert(tgkill(getpid(), number, SIGUSR1) == 0);
  wait_for(&handled);
  assert(syscall(SYS_tgkill, getpid(), number, SIGUSR1) == 0);
  wait_for(&handled);
  assert(syscall(SYS_tkill, number, SIGUSR1) == 0);
  wait_for(&handled);
  sem_post(&handled);
  sem_post(&handled);
  sem_post(&handled);
  end(thread, 3);
}

static void in_order(void) {
  pthread_t thread = begin(be_target, SI_QUEUE);
  for (int i = 0; i < kEach; i++) {
    sent[i] = 1;
    if (i % 2 == 0) {
      assert(pthread_sigqueue(thread, SIGRTMIN + 1, (union sigval){.sival_int = i}) == 0);
    } else {
      assert(queue_raw(SIGRTMIN + 1, SI_QUEUE, i) == 0);
    }
  }
  end(thread, kEach);

  thread = begin(be_target, SI_TKILL);
  for (int i = 0; i < kEach; i++) assert(pthread_kill(thread, SIGRTMAX) == 0);
  end(thread, kEach);

  thread = begin(be_target, SI_QUEUE);  // a plain one
  sent[0] = 1;
  assert(pthread_sigqueue(thread, SIGUSR1, (union sigval){.sival_int = 0}) == 0);
  end(thread, 1);
}

// The calling thread has blocked them.
static void to_process(void) {
  sigset_t all;
  sigset_t before;
  pthread_t thread = begin(be_target, SI_QUEUE);
  sigfillset(&all);
  pthread_sigmask(SIG_BLOCK, &all, &before);
  for (int i = 0; i < kEach; i++) sent[i] = 1;
  for (int i = 0; i < kEach; i++) {
    assert(sigqueue(getpid(), SIGRTMIN + 1, (union sigval){.sival_int = i}) == 0);
  }
  end(thread, kEach);

  pthread_sigmask(SIG_SETMASK, &before, NULL);
  thread = begin(be_target, SI_USER);
  pthread_sigmask(SIG_BLOCK, &all, NULL);
  for (int i = 0; i < kEach; i++) assert(kill(getpid(), SIGRTMIN + 1) == 0);
  end(thread, kEach);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
}

// It waits for what never comes, without SA_RESTART.
static void* be_interrupted(void* unused) {
  static sem_t never;
  sem_init(&never, 0, 0);
  number = gettid();
  target = pthread_self();
  sem_post(&ready);
  assert(sem_wait(&never) == -1 && errno == EINTR);
  struct timespec request = {1000, 0};
  assert(nanosleep(&request, &request) == -1 && errno == EINTR);
  interrupted = 1;
  return unused;
}

static void interrupting(void) {
  struct timespec moment = {0, 20000000};
  pthread_t thread = begin(be_interrupted, 0);
  for (int i = 0; !interrupted; i++) {
    nanosleep(&moment, NULL);
    if (interrupted) break;
    if (i % 2 == 0) {
      tgkill(getpid(), number, SIGUSR2);
    } else {
      pthread_sigqueue(thread, SIGRTMIN + 2, (union sigval){.sival_int = i});
    }
  }
  assert(pthread_join(thread, NULL) == 0);
}

// Both have handlers, which never run.
static void* be_blocked(void* unused) {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGRTMIN + 1);
  sigaddset(&set, SIGUSR1);
  pthread_sigmask(SIG_BLOCK, &set, NULL);
  number = gettid();
  target = pthread_self();
  sem_post(&ready);
  for (int i = 0; i < 3; i++) {
    siginfo_t info;
    assert(sigwaitinfo(&set, &info) == SIGRTMIN + 1);
    assert(info.si_code == SI_QUEUE && info.si_value.sival_int == i && info.si_pid == getpid());
  }
  sem_post(&handled);
  const int descriptor = signalfd(-1, &set, 0);
  struct signalfd_siginfo read_info;
  assert(read(descriptor, &read_info, sizeof read_info) == sizeof read_info);
  assert(read_info.ssi_signo == SIGUSR1 && read_info.ssi_int == 7);
  close(descriptor);
  wait_for(&done);
  sigset_t pending;
  sigpending(&pending);
  assert(sigismember(&pending, SIGRTMIN + 1));
  return unused;
}

static void blocked(void) {
  pthread_t thread = begin(be_blocked, SI_QUEUE);
  for (int i = 0; i < 3; i++) {
    assert(pthread_sigqueue(thread, SIGRTMIN + 1, (union sigval){.sival_int = i}) == 0);
  }
  wait_for(&handled);
  assert(pthread_sigqueue(thread, SIGUSR1, (union sigval){.sival_int = 7}) == 0);
  assert(pthread_kill(thread, SIGRTMIN + 1) == 0);
  sem_post(&done);
  assert(pthread_join(thread, NULL) == 0);
  assert(count == 0);
}

static void refused(void) {
  pthread_t thread = begin(be_target, SI_QUEUE);
  assert(tgkill(getpid(), number, 65) == -1 && errno == EINVAL);
  assert(tgkill(-1, number, SIGUSR1) == -1 && errno == EINVAL);
  assert(syscall(SYS_tkill, -1, SIGUSR1) == -1 && errno == EINVAL);
  assert(pthread_kill(thread, 65) == EINVAL);
  assert(pthread_sigqueue(thread, 65, (union sigval){.sival_int = 0}) == EINVAL);
  assert(sigqueue(getpid(), 65, (union sigval){.sival_int = 0}) == -1 && errno == EINVAL);
  assert(queue_raw(SIGUSR1, SI_USER, 0) == -1 && errno == EPERM);
  assert(syscall(SYS_rt_tgsigqueueinfo, getpid(), number, SIGUSR1, NULL) == -1 && errno == EFAULT);
  assert(tgkill(getpid(), number, 0) == 0 && pthread_kill(thread, 0) == 0);
  assert(sigqueue(getpid(), 0, (union sigval){.sival_int = 0}) == 0);
  assert(tgkill(getpid(), 1, SIGUSR1) == -1 && errno == ESRCH);
  end(thread, 0);
}

int main(void) {
  struct sigaction restarts = {.sa_sigaction = handle, .sa_flags = SA_SIGINFO | SA_RESTART};
  struct sigaction ends = {.sa_handler = nothing};
  sigaction(SIGUSR1, &restarts, NULL);
  sigaction(SIGRTMIN + 1, &restarts, NULL);
  sigaction(SIGRTMAX, &restarts, NULL);
  sigaction(SIGUSR2, &ends, NULL);
  sigaction(SIGRTMIN + 2, &ends, NULL);
  sem_init(&ready, 0, 0);
  sem_init(&handled, 0, 0);
  sem_init(&done, 0, 0);
  by_number();
  in_order();
  to_process();
  interrupting();
  blocked();
  refused();
  return 0;
}
