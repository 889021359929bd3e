// WHAT    Two locks made for several processes, taken in both orders by the threads of one that never
//         forks, under an alarm that would only kill it: nobody outside can help.
// EXPECT  failure deadlock   sites forth, back
// WITHIN  strategy portfolio runs 500 seed 1
// REPLAYS 20/20
// CLASS   deadlock
// MIN_PREEMPTIONS 1
// DECISIVE forth, back
#include <pthread.h>
#include <sys/mman.h>
#include <unistd.h>

static pthread_mutex_t* locks;

static void take_both(pthread_mutex_t* first, pthread_mutex_t* second) {
  pthread_mutex_lock(first);
  pthread_mutex_lock(second);
  pthread_mutex_unlock(second);
  pthread_mutex_unlock(first);
}

static void* forth(void* unused) {
  take_both(&locks[0], &locks[1]);
  return unused;
}

static void* back(void* unused) {
  take_both(&locks[1], &locks[0]);
  return unused;
}

int main(void) {
  alarm(60);
  locks = mmap(NULL, 2 * sizeof *locks, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  pthread_mutexattr_t attributes;
  pthread_mutexattr_init(&attributes);
  pthread_mutexattr_setpshared(&attributes, PTHREAD_PROCESS_SHARED);
  for (int i = 0; i < 2; i++) pthread_mutex_init(&locks[i], &attributes);
  pthread_t threads[2];
  pthread_create(&threads[0], NULL, forth, NULL);
  pthread_create(&threads[1], NULL, back, NULL);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
  return 0;
}
