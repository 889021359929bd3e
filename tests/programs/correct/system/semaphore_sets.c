// WHAT    Semaphores of System V's between threads: one as a lock, several at once, waiting for zero, without waiting, and no longer
//         than asked to.
// EXPECT  pass
// CONTROL whole
// WITHIN  strategy every runs 40 seed 1
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stddef.h>
#include <sys/sem.h>
#include <time.h>

enum { kLock, kItems, kLeft, kThreads = 2 };

static int set;
int value;  // not static: the compiler takes semop to leave such variables alone

static int change(unsigned short place, short by, short flags) {
  struct sembuf operation = {place, by, flags};
  return semop(set, &operation, 1);
}

static void* work(void* unused) {
  struct sembuf both[] = {{kLock, -1, 0}, {kItems, -1, 0}};
  assert(semop(set, both, 2) == 0);
  value++;
  assert(change(kLock, 1, 0) == 0);
  assert(change(kLeft, -1, 0) == 0);
  return unused;
}

int main(void) {
  set = semget(IPC_PRIVATE, 3, 0600);
  assert(set >= 0);
  assert(change(kLock, -1, IPC_NOWAIT) == -1 && errno == EAGAIN);
  const struct timespec moment = {0, 1000000};
  struct sembuf take = {kLock, -1, 0};
  assert(semtimedop(set, &take, 1, &moment) == -1 && errno == EAGAIN);
  assert(change(kLeft, kThreads, 0) == 0);
  pthread_t threads[kThreads];
  for (int i = 0; i < kThreads; i++) pthread_create(&threads[i], NULL, work, NULL);
  assert(change(kLock, 1, 0) == 0);
  for (int i = 0; i < kThreads; i++) assert(change(kItems, 1, 0) == 0);
  assert(change(kLeft, 0, 0) == 0);
  assert(value == kThreads);
  for (int i = 0; i < kThreads; i++) pthread_join(threads[i], NULL);
  assert(semctl(set, 0, IPC_RMID) == 0);
  assert(change(kLock, -1, 0) == -1 && (errno == EINVAL || errno == EIDRM));
  return 0;
}
