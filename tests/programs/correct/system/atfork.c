// WHAT    pthread_atfork handlers hold a lock over the fork, so that both sides find it free.
// EXPECT  pass
// WITHIN  strategy every runs 20 seed 1
#include <assert.h>
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int value;

static void take(void) { pthread_mutex_lock(&lock); }
static void give(void) { pthread_mutex_unlock(&lock); }

static void* change(void* unused) {
  for (int i = 0; i < 3; i++) {
    pthread_mutex_lock(&lock);
    value += 2;
    pthread_mutex_unlock(&lock);
  }
  return unused;
}

int main(void) {
  pthread_atfork(take, give, give);
  pthread_t thread;
  pthread_create(&thread, NULL, change, NULL);
  const pid_t child = fork();
  if (child == 0) _exit(pthread_mutex_trylock(&lock) == 0 && value % 2 == 0 ? 0 : 1);
  int status;
  waitpid(child, &status, 0);
  assert(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  pthread_join(thread, NULL);
  return 0;
}
