// WHAT    A handler takes the lock of the statistics to print them. The signal may come while the thread that it comes to has it.
// EXPECT  failure deadlock
// WITHIN  strategy portfolio runs 100 seed 1
// REPLAYS 10/10
// CLASS   deadlock
// MIN_PREEMPTIONS 1
// DECISIVE main, ask
#include <pthread.h>
#include <signal.h>
#include <stdio.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int requests;
static int asked;

static void show_statistics(int number) {
  (void)number;
  pthread_mutex_lock(&lock);
  asked = requests;
  pthread_mutex_unlock(&lock);
}

static void* ask(void* server) {
  pthread_kill(*(pthread_t*)server, SIGUSR1);
  return NULL;
}

int main(void) {
  signal(SIGUSR1, show_statistics);
  pthread_t server = pthread_self();
  pthread_t asking;
  pthread_create(&asking, NULL, ask, &server);
  for (int i = 0; i < 5; i++) {
    pthread_mutex_lock(&lock);
    requests++;
    pthread_mutex_unlock(&lock);
  }
  pthread_join(asking, NULL);
  printf("%d of %d\n", asked, requests);
  return 0;
}
