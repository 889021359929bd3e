// Refuses to run beside another of its kind: two processes cannot both have the lock on the file that argv[1] names.
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/file.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int sum;

static void* add(void* unused) {
  (void)unused;
  for (int i = 0; i < 3; i++) {
    pthread_mutex_lock(&lock);
    sum++;
    pthread_mutex_unlock(&lock);
  }
  return NULL;
}

int main(int argc, char** argv) {
  if (argc < 2) return 2;
  const int file = open(argv[1], O_RDWR | O_CREAT, 0600);
  if (file < 0) return 2;
  if (flock(file, LOCK_EX | LOCK_NB) != 0) {
    fprintf(stderr, "only_one: another run is alive\n");
    return 1;
  }
  pthread_t threads[2];
  for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, add, NULL);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
  return sum != 6;  // the lock goes with the process
}
