// WHAT    A thread takes lines from a list and writes them to a file; main takes the empty list for the sign that all is written.
//         Between the lock and the file nothing happens but stdio.
// EXPECT  failure exit
// WITHIN  strategy portfolio runs 200 seed 1
// REPLAYS 20/20
// CLASS   atomicity|order violation
// MIN_PREEMPTIONS 1
// DECISIVE write_lines, main
#include <pthread.h>
#include <stdio.h>

enum { kLines = 2 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t empty = PTHREAD_COND_INITIALIZER;
static int waiting = kLines;
static FILE* file;

static void* write_lines(void* unused) {
  for (int i = 0; i < kLines; ++i) {
    pthread_mutex_lock(&lock);
    if (--waiting == 0) pthread_cond_signal(&empty);
    pthread_mutex_unlock(&lock);
    fprintf(file, "line %d\n", i);
    fflush(file);
  }
  return unused;
}

int main(void) {
  file = tmpfile();
  if (file == NULL) return 2;
  pthread_t writer;
  pthread_create(&writer, NULL, write_lines, NULL);
  pthread_mutex_lock(&lock);
  while (waiting > 0) pthread_cond_wait(&empty, &lock);
  pthread_mutex_unlock(&lock);
  const long written = ftell(file);
  pthread_join(writer, NULL);
  if (written == kLines * (long)sizeof "line 0") return 0;
  fprintf(stderr, "%ld bytes are written\n", written);
  return 1;
}
