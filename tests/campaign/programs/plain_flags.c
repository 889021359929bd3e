// Old code: flags that are volatile and plain, and nobody has written before the loops over them begin.
#include <pthread.h>
#include <unistd.h>

static volatile int go, enough;
static unsigned long turns;

static void* spin(void* unused) {
  while (!go) {
  }
  for (; !enough; ++turns) {
  }
  return unused;
}

int main(void) {
  pthread_t spinners[2];
  for (int i = 0; i < 2; ++i) pthread_create(&spinners[i], NULL, spin, NULL);
  go = 1;
  sleep(1);
  enough = 1;
  for (int i = 0; i < 2; ++i) pthread_join(spinners[i], NULL);
  return 0;
}
