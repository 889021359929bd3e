// WHAT    A child sends every thread of its parent the signal of heddle's watchdog, again and again, while they lock, wait,
//         read and end: whoever loses control comes back, wherever it was.
// EXPECT  pass
// WITHIN  strategy random runs 150 seed 1
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum { kThreads = 3, kRounds = 12, kSignal = 16 };

struct Shared {
  volatile int threads[kThreads + 1];  // their ids; 0: not there
  volatile int stop;
};

static struct Shared* shared;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t filled = PTHREAD_COND_INITIALIZER;
static int waiting, total, ends[2];

static int thread_id(void) { return (int)syscall(SYS_gettid); }

static void disturb(int parent) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  while (!shared->stop) {
    for (int i = 0; i <= kThreads; ++i) {
      if (shared->threads[i] != 0) syscall(SYS_tgkill, parent, shared->threads[i], kSignal);
    }
  }
  _exit(0);
}

static void* work(void* argument) {
  const long number = (long)argument;
  shared->threads[number] = thread_id();
  for (int i = 0; i < kRounds; ++i) {
    const char one = 1;
    pthread_mutex_lock(&mutex);
    ++waiting;
    pthread_cond_signal(&filled);
    pthread_mutex_unlock(&mutex);
    if (write(ends[1], &one, 1) != 1) abort();
  }
  shared->threads[number] = 0;
  return NULL;
}

int main(void) {
  shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (shared == MAP_FAILED || pipe(ends) != 0) return 2;
  shared->threads[0] = thread_id();
  const int parent = getpid();
  const pid_t child = fork();
  if (child == 0) disturb(parent);
  pthread_t threads[kThreads];
  for (long i = 0; i < kThreads; ++i) pthread_create(&threads[i], NULL, work, (void*)(i + 1));
  for (int i = 0; i < kThreads * kRounds; ++i) {
    char one;
    pthread_mutex_lock(&mutex);
    while (waiting == 0) pthread_cond_wait(&filled, &mutex);
    --waiting;
    pthread_mutex_unlock(&mutex);
    if (read(ends[0], &one, 1) != 1) abort();
    total += one;
  }
  for (int i = 0; i < kThreads; ++i) pthread_join(threads[i], NULL);
  shared->stop = 1;
  waitpid(child, NULL, 0);
  return total == kThreads * kRounds ? 0 : 1;
}
