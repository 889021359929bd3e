// WHAT    A semaphore, a mutex, a condition variable, a reader-writer lock, a barrier and a futex in
//         memory that a child has too: what the parent waits for is the child's to give. How far the child is decides nothing.
// EXPECT  pass
// WITHIN  strategy every runs 20 seed 1
#define _GNU_SOURCE
#include <assert.h>
#include <linux/futex.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum { kRounds = 50 };

struct shared {
  sem_t semaphore;
  sem_t looked;
  pthread_mutex_t mutex;
  pthread_cond_t changed;
  pthread_rwlock_t rwlock;
  pthread_barrier_t barrier;
  atomic_int word;
  int ready;
  int count;
  int written;
};

static struct shared* shared;

static void count(void) {
  for (int i = 0; i < kRounds; i++) {
    pthread_mutex_lock(&shared->mutex);
    const int before = shared->count;
    for (volatile int spin = 0; spin < 200; spin++) {
    }
    shared->count = before + 1;
    pthread_mutex_unlock(&shared->mutex);
    pthread_rwlock_wrlock(&shared->rwlock);
    shared->written++;
    pthread_rwlock_unlock(&shared->rwlock);
  }
}

static void child(void) {
  usleep(2000);
  sem_post(&shared->semaphore);
  count();
  sem_wait(&shared->looked);
  usleep(2000);
  pthread_mutex_lock(&shared->mutex);
  shared->ready = 1;
  pthread_cond_signal(&shared->changed);
  pthread_mutex_unlock(&shared->mutex);
  pthread_barrier_wait(&shared->barrier);
  usleep(2000);
  shared->word = 1;
  syscall(SYS_futex, &shared->word, FUTEX_WAKE, 1, NULL, NULL, 0);
  _exit(0);
}

static void* in_parent(void* unused) {
  count();
  return unused;
}

int main(void) {
  shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  assert(shared != MAP_FAILED);
  sem_init(&shared->semaphore, 1, 0);
  sem_init(&shared->looked, 1, 0);
  pthread_mutexattr_t for_mutex;
  pthread_mutexattr_init(&for_mutex);
  pthread_mutexattr_setpshared(&for_mutex, PTHREAD_PROCESS_SHARED);
  pthread_mutex_init(&shared->mutex, &for_mutex);
  pthread_condattr_t for_condition;
  pthread_condattr_init(&for_condition);
  pthread_condattr_setpshared(&for_condition, PTHREAD_PROCESS_SHARED);
  pthread_cond_init(&shared->changed, &for_condition);
  pthread_rwlockattr_t for_rwlock;
  pthread_rwlockattr_init(&for_rwlock);
  pthread_rwlockattr_setpshared(&for_rwlock, PTHREAD_PROCESS_SHARED);
  pthread_rwlock_init(&shared->rwlock, &for_rwlock);
  pthread_barrierattr_t for_barrier;
  pthread_barrierattr_init(&for_barrier);
  pthread_barrierattr_setpshared(&for_barrier, PTHREAD_PROCESS_SHARED);
  pthread_barrier_init(&shared->barrier, &for_barrier, 2);

  const pid_t pid = fork();
  assert(pid >= 0);
  if (pid == 0) child();
  sem_wait(&shared->semaphore);
  pthread_t thread;
  pthread_create(&thread, NULL, in_parent, NULL);
  pthread_mutex_lock(&shared->mutex);
  sem_post(&shared->looked);
  while (!shared->ready) pthread_cond_wait(&shared->changed, &shared->mutex);
  pthread_mutex_unlock(&shared->mutex);
  pthread_join(thread, NULL);
  pthread_barrier_wait(&shared->barrier);
  do syscall(SYS_futex, &shared->word, FUTEX_WAIT, 0, NULL, NULL, 0);
  while (shared->word == 0);
  int status;
  assert(waitpid(pid, &status, 0) == pid);
  assert(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  assert(shared->count == 2 * kRounds && shared->written == 2 * kRounds);
  return 0;
}
