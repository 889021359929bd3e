// WHAT    Three operations of a store take two of three locks each: append journal then index,
//         compact index then files, checkpoint files then journal. The three orders close a cycle.
// EXPECT  failure deadlock   sites append, compact, checkpoint
// WITHIN  strategy portfolio runs 1000 seed 1
// REPLAYS 20/20
// CLASS   deadlock
// MIN_PREEMPTIONS 1
// DECISIVE append, compact|compact, checkpoint|checkpoint, append
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t journal_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t index_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t files_lock = PTHREAD_MUTEX_INITIALIZER;
static int journal_length = 1, index_size = 1, file_count = 1;

static void* append(void* arg) {
  (void)arg;
  pthread_mutex_lock(&journal_lock);
  journal_length++;
  pthread_mutex_lock(&index_lock);
  index_size++;
  pthread_mutex_unlock(&index_lock);
  pthread_mutex_unlock(&journal_lock);
  return NULL;
}

static void* compact(void* arg) {
  (void)arg;
  pthread_mutex_lock(&index_lock);
  index_size++;
  pthread_mutex_lock(&files_lock);
  file_count++;
  pthread_mutex_unlock(&files_lock);
  pthread_mutex_unlock(&index_lock);
  return NULL;
}

static void* checkpoint(void* arg) {
  (void)arg;
  pthread_mutex_lock(&files_lock);
  file_count++;
  pthread_mutex_lock(&journal_lock);
  journal_length++;
  pthread_mutex_unlock(&journal_lock);
  pthread_mutex_unlock(&files_lock);
  return NULL;
}

int main(void) {
  void* (*operation[3])(void*) = {append, compact, checkpoint};
  pthread_t thread[3];
  for (int i = 0; i < 3; i++) pthread_create(&thread[i], NULL, operation[i], NULL);
  for (int i = 0; i < 3; i++) pthread_join(thread[i], NULL);
  printf("%d %d %d\n", journal_length, index_size, file_count);
  return 0;
}
