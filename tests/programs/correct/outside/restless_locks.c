// WHAT    A child sends every thread of its parent the signal of heddle's watchdog, again and again, while they take locks and
//         give them back: what one did before the other is told in that order, wherever control was lost.
// EXPECT  pass
// WITHIN  strategy random runs 60 seed 1
#define _GNU_SOURCE
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum { kThreads = 3, kRounds = 100, kSignal = 16 };

struct Shared {
  volatile int threads[kThreads];  // their ids; 0: not there
  volatile int stop;
};

static struct Shared* shared;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;
static pthread_spinlock_t spin;
static sem_t semaphore;
static int by_mutex, by_rwlock, by_spin, by_semaphore, initialised;
static pthread_once_t once[kRounds];

static void disturb(int parent) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  while (!shared->stop) {
    for (int i = 0; i < kThreads; ++i) {
      if (shared->threads[i] != 0) syscall(SYS_tgkill, parent, shared->threads[i], kSignal);
    }
  }
  _exit(0);
}

static void initialise(void) { ++initialised; }

static void* work(void* argument) {
  volatile int* const id = argument;
  int seen = 0;
  *id = (int)syscall(SYS_gettid);
  for (int i = 0; i < kRounds; ++i) {
    pthread_mutex_lock(&mutex);
    ++by_mutex;
    pthread_mutex_unlock(&mutex);
    pthread_rwlock_wrlock(&rwlock);
    ++by_rwlock;
    pthread_rwlock_unlock(&rwlock);
    pthread_spin_lock(&spin);
    ++by_spin;
    pthread_spin_unlock(&spin);
    if (sem_wait(&semaphore) != 0) abort();
    ++by_semaphore;
    sem_post(&semaphore);
    pthread_once(&once[i], initialise);
    int* const block = malloc(sizeof *block);
    *block = i;
    seen += *block;
    free(block);
  }
  *id = 0;
  return seen == kRounds * (kRounds - 1) / 2 ? NULL : argument;
}

int main(void) {
  shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (shared == MAP_FAILED) return 2;
  pthread_spin_init(&spin, PTHREAD_PROCESS_PRIVATE);
  sem_init(&semaphore, 0, 1);
  const int parent = getpid();
  const pid_t child = fork();
  if (child == 0) disturb(parent);
  pthread_t threads[kThreads];
  for (int i = 0; i < kThreads; ++i) {
    pthread_create(&threads[i], NULL, work, (void*)&shared->threads[i]);
  }
  int wrong = 0;
  for (int i = 0; i < kThreads; ++i) {
    void* result = NULL;
    pthread_join(threads[i], &result);
    wrong += result != NULL;
  }
  shared->stop = 1;
  waitpid(child, NULL, 0);
  const int all = kThreads * kRounds;
  return wrong == 0 && by_mutex == all && by_rwlock == all && by_spin == all &&
                 by_semaphore == all && initialised == kRounds
             ? 0
             : 1;
}
