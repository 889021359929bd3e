// WHAT    Threads poll a flag in shared memory which a child sets after a while, one with a yield, one with nothing, one with
//         a sleep: they do so as long as the child takes, and not for ever.
// EXPECT  pass
// WITHIN  strategy random runs 4 seed 1
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stddef.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static atomic_int* flag;

static void* yields(void* unused) {
  while (atomic_load(flag) == 0) sched_yield();
  return unused;
}

static void* spins(void* unused) {
  while (atomic_load(flag) == 0) {
  }
  return unused;
}

static void* sleeps(void* unused) {
  const struct timespec a_little = {0, 1000 * 1000};
  while (atomic_load(flag) == 0) nanosleep(&a_little, NULL);
  return unused;
}

int main(void) {
  void* const shared = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  assert(shared != MAP_FAILED);
  flag = shared;
  void* (*const ways[])(void*) = {yields, spins, sleeps};
  for (int i = 0; i < 3; ++i) {
    atomic_store(flag, 0);
    const pid_t child = fork();
    if (child == 0) {
      const struct timespec a_while = {0, 60 * 1000 * 1000};
      nanosleep(&a_while, NULL);
      atomic_store(flag, 1);
      _exit(0);
    }
    pthread_t thread;
    pthread_create(&thread, NULL, ways[i], NULL);
    pthread_join(thread, NULL);
    assert(waitpid(child, NULL, 0) == child);
  }
  return 0;
}
