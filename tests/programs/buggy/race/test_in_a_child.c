// WHAT    Tests that run in a child each, as test frameworks do it; the third of them loses an update. The parent has threads before
//         and after.
// EXPECT  failure exit
// CONTROL whole
// WITHIN  strategy portfolio runs 100 seed 1
// REPLAYS 20/20
// CLASS   data race
// MIN_PREEMPTIONS 1
// DECISIVE add_without_lock, add_without_lock
#include <errno.h>
#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

typedef void* (*Routine)(void*);

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int count;

static void* add_with_lock(void* unused) {
  pthread_mutex_lock(&lock);
  count++;
  pthread_mutex_unlock(&lock);
  return unused;
}

static void* add_without_lock(void* unused) {
  count++;
  return unused;
}

static void run_two(Routine routine) {
  pthread_t threads[2];
  count = 0;
  for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, routine, NULL);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
}

static int run_test(Routine routine) {
  int status = 0;
  const pid_t child = fork();
  if (child == 0) {
    run_two(routine);
    exit(count == 2 ? 0 : 1);
  }
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return status;
}

int main(void) {
  const Routine tests[] = {add_with_lock, add_with_lock, add_without_lock, add_with_lock};
  int failed = 0;
  run_two(add_with_lock);
  for (size_t i = 0; i < sizeof tests / sizeof *tests; i++) failed |= run_test(tests[i]);
  run_two(add_with_lock);
  return failed != 0 || count != 2;
}
