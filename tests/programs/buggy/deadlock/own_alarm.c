// WHAT    A journal and an index are locked in both orders, and the program gives up by an alarm of its own when it hangs:
//         the exit status is its own, the reason the circle of locks.
// EXPECT  failure exit
// WITHIN  strategy pct:3 runs 200 seed 1
// REPLAYS 20/20
// CLASS   deadlock
// DECISIVE append, look_up
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

static pthread_mutex_t journal = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t table = PTHREAD_MUTEX_INITIALIZER;
static int entries, reads;

static void give_up(int number) {
  (void)number;
  static const char message[] = "no progress for 20 s\n";
  if (write(STDERR_FILENO, message, strlen(message)) < 0) _exit(5);
  _exit(4);
}

static void* append(void* unused) {
  pthread_mutex_lock(&journal);
  pthread_mutex_lock(&table);
  entries++;
  pthread_mutex_unlock(&table);
  pthread_mutex_unlock(&journal);
  return unused;
}

static void* look_up(void* unused) {
  pthread_mutex_lock(&table);
  pthread_mutex_lock(&journal);
  reads++;
  pthread_mutex_unlock(&journal);
  pthread_mutex_unlock(&table);
  return unused;
}

int main(void) {
  struct sigaction action = {.sa_handler = give_up};
  sigaction(SIGALRM, &action, NULL);
  alarm(20);
  pthread_t writer, reader;
  pthread_create(&writer, NULL, append, NULL);
  pthread_create(&reader, NULL, look_up, NULL);
  pthread_join(writer, NULL);
  pthread_join(reader, NULL);
  alarm(0);
  return 0;
}
