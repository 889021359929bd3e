// WHAT    A thread takes turns until another has told it to stop, and changes something at each, so that nobody could tell that
//         it waits: the other is not passed over for ever, whoever is more urgent.
// EXPECT  pass
// WITHIN  strategy every runs 6 seed 1
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <stddef.h>
#include <unistd.h>

enum { kMostTurns = 1000000 };

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int done, ends[2];
static long turns;

static void* tell(void* unused) {
  char bytes[32];
  while (read(ends[0], bytes, sizeof bytes) > 0) continue;  // there is nothing
  pthread_mutex_lock(&mutex);
  done = 1;
  pthread_mutex_unlock(&mutex);
  return unused;
}

static void* take_turns(void* unused) {
  for (int told = 0; !told;) {
    pthread_mutex_lock(&mutex);
    told = done;
    ++turns;
    pthread_mutex_unlock(&mutex);
  }
  return unused;
}

int main(void) {
  if (pipe2(ends, O_NONBLOCK) != 0) return 2;
  pthread_t teller, taker;
  pthread_create(&teller, NULL, tell, NULL);
  pthread_create(&taker, NULL, take_turns, NULL);
  pthread_join(teller, NULL);
  pthread_join(taker, NULL);
  return turns <= kMostTurns ? 0 : 1;
}
