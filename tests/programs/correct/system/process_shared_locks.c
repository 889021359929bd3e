// WHAT    Two threads and a child take a mutex, a reader-writer lock and a spin lock in shared memory from each other: how soon the child
//         lets go decides nothing that the threads do.
// EXPECT  pass
// WITHIN  strategy every runs 20 seed 1
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

enum { kThreads = 2, kRounds = 10 };

struct Shared {
  pthread_mutex_t mutex;
  pthread_rwlock_t rwlock;
  pthread_spinlock_t spinlock;
  sem_t begun, enough;
  int counts[3];
};

static struct Shared* shared;
static atomic_int rounds;

static void work_on(int which) {
  for (volatile int i = 0; i < 1000; i++) {
  }
  shared->counts[which]++;
}

static void take_all(void) {
  pthread_mutex_lock(&shared->mutex);
  work_on(0);
  pthread_mutex_unlock(&shared->mutex);
  pthread_rwlock_wrlock(&shared->rwlock);
  work_on(1);
  pthread_rwlock_unlock(&shared->rwlock);
  pthread_spin_lock(&shared->spinlock);
  work_on(2);
  pthread_spin_unlock(&shared->spinlock);
}

static void* compete(void* unused) {
  for (int i = 0; i < kRounds; i++) {
    take_all();
    rounds++;
  }
  return unused;
}

static void be_child(void) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  int own = 0;
  do {
    take_all();
    if (++own == 1) sem_post(&shared->begun);
  } while (sem_trywait(&shared->enough) != 0);
  _exit(own < 100 ? own : 100);
}

int main(void) {
  shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  assert(shared != MAP_FAILED);
  pthread_mutexattr_t for_mutex;
  pthread_mutexattr_init(&for_mutex);
  pthread_mutexattr_setpshared(&for_mutex, PTHREAD_PROCESS_SHARED);
  pthread_mutex_init(&shared->mutex, &for_mutex);
  pthread_rwlockattr_t for_rwlock;
  pthread_rwlockattr_init(&for_rwlock);
  pthread_rwlockattr_setpshared(&for_rwlock, PTHREAD_PROCESS_SHARED);
  pthread_rwlock_init(&shared->rwlock, &for_rwlock);
  pthread_spin_init(&shared->spinlock, PTHREAD_PROCESS_SHARED);
  sem_init(&shared->begun, 1, 0);
  sem_init(&shared->enough, 1, 0);
  const pid_t child = fork();
  assert(child >= 0);
  if (child == 0) be_child();
  sem_wait(&shared->begun);
  pthread_t threads[kThreads];
  for (int i = 0; i < kThreads; i++) pthread_create(&threads[i], NULL, compete, NULL);
  for (int i = 0; i < kThreads; i++) pthread_join(threads[i], NULL);
  sem_post(&shared->enough);
  int status;
  assert(waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) > 0);
  for (int i = 1; i < 3; i++) assert(shared->counts[i] == shared->counts[0]);
  return rounds == kThreads * kRounds ? 0 : 1;
}
