// WHAT    A reader takes the settings under the lock and looks at them after it; meanwhile they are replaced and freed. Built
//         like a release: the constructor that reports the module jumps away instead of calling.
// EXPECT  failure exit
// WITHIN  strategy portfolio runs 200 seed 1
// REPLAYS 20/20
// CLASS   data race|teardown
// MIN_PREEMPTIONS 1
// DECISIVE reader, replace
// BUILD   -O2
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

struct Settings {
  long width, height;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct Settings* settings;
static int wrong;

static struct Settings* make(void) {
  struct Settings* const fresh = malloc(sizeof *fresh);
  fresh->width = 4;
  fresh->height = 3;
  return fresh;
}

static void* reader(void* unused) {
  pthread_mutex_lock(&lock);
  const struct Settings* const mine = settings;
  pthread_mutex_unlock(&lock);
  if (mine->width != 4 || mine->height != 3) wrong = 1;
  return unused;
}

static void* replace(void* unused) {
  struct Settings* const fresh = make();
  pthread_mutex_lock(&lock);
  struct Settings* const old = settings;
  settings = fresh;
  pthread_mutex_unlock(&lock);
  free(old);
  return unused;
}

int main(void) {
  settings = make();
  pthread_t threads[2];
  pthread_create(&threads[0], NULL, reader, NULL);
  pthread_create(&threads[1], NULL, replace, NULL);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
  if (wrong == 0) return 0;
  fprintf(stderr, "the settings are not what anybody set\n");
  return 1;
}
