// WHAT    A child makes the lock anew that another thread may have held at the fork, and then takes it.
// EXPECT  pass
// WITHIN  strategy every runs 20 seed 1
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int value;

static void change(void) {
  pthread_mutex_lock(&lock);
  value++;
  pthread_mutex_unlock(&lock);
}

static void* change_often(void* argument) {
  for (int i = 0; i < 3; i++) change();
  return argument;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, change_often, NULL);
  const pid_t child = fork();
  if (child == 0) {
    pthread_mutex_init(&lock, NULL);
    change();
    _exit(0);
  }
  int status = 1;
  waitpid(child, &status, 0);
  pthread_join(thread, NULL);
  return status == 0 ? 0 : 1;
}
