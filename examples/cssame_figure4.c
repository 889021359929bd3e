// cssame_figure4: figure 4 of "Deterministic execution with CSSAME" (MacDonald, Chen and Novillo).
//
// The paper  T1 sets n to 0 (a connection that is closed); T2 sleeps, sets n to 3 and meets T3 at a
//            barrier; T3 then prints 21/n. All accesses are locked. In 1000 runs the sleep in T2
//            always let T1 come first and the output was 7: the scheduler hides the error. With the
//            sleep moved to T1 it is hidden as well, since T1 then comes last. The read in T3 may
//            see two writes, so two runs decide it.
// The bug    Nothing but the sleep keeps T1's write from falling between T2's write and T3's read.
// It fails   by a division by zero (a crash, SIGFPE).
//
// Built twice: `cssame_figure4`, and `cssame_figure4_sleep_in_t1` with -DSLEEP_IN_T1.
#include <pthread.h>
#include <stdio.h>
#include <time.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_barrier_t barrier;
static int n = 1;

static void sleep_milliseconds(long milliseconds) {
  const struct timespec time = {milliseconds / 1000, milliseconds % 1000 * 1000000};
  nanosleep(&time, NULL);
}

static void set(int value) {
  pthread_mutex_lock(&lock);
  n = value;
  pthread_mutex_unlock(&lock);
}

static void* t1(void* unused) {
#ifdef SLEEP_IN_T1
  sleep_milliseconds(10);
#endif
  set(0);
  return unused;
}

static void* t2(void* unused) {
#ifndef SLEEP_IN_T1
  sleep_milliseconds(10);
#endif
  set(3);
  pthread_barrier_wait(&barrier);
  return unused;
}

static void* t3(void* unused) {
  pthread_barrier_wait(&barrier);
  pthread_mutex_lock(&lock);
  printf("%d\n", 21 / n);
  pthread_mutex_unlock(&lock);
  return unused;
}

int main(void) {
  pthread_barrier_init(&barrier, NULL, 2);
  pthread_t threads[3];
  pthread_create(&threads[0], NULL, t1, NULL);
  pthread_create(&threads[1], NULL, t2, NULL);
  pthread_create(&threads[2], NULL, t3, NULL);
  for (int i = 0; i < 3; i++) pthread_join(threads[i], NULL);
  return 0;
}
