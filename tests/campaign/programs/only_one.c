// Refuses to run beside another of its kind, by something that goes with the process: only_one HOW FILE. What it has of FILE when
// it ends: an open lock, the name of a socket, a child that holds the lock, or a semaphore that the kernel puts back.
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/ipc.h>
#include <sys/sem.h>
#include <sys/socket.h>
#include <sys/un.h>
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

static int take_lock(const char* path) {
  const int file = open(path, O_RDWR | O_CREAT, 0600);
  return file >= 0 && flock(file, LOCK_EX | LOCK_NB) == 0 ? file : -1;
}

static int take_name(const char* path) {
  struct sockaddr_un name = {.sun_family = AF_UNIX};
  strncpy(name.sun_path + 1, path,
          sizeof name.sun_path - 2);  // an abstract one: free when nobody has it
  const int listener = socket(AF_UNIX, SOCK_STREAM, 0);
  return bind(listener, (struct sockaddr*)&name, sizeof name) == 0 && listen(listener, 1) == 0;
}

static int leave_to_child(const char* path) {
  const int file = take_lock(path);
  if (file < 0) return 0;
  if (fork() == 0) {
    for (;;) pause();
  }
  close(file);  // the child has it still
  return 1;
}

static int semaphores(const char* path) {
  close(open(path, O_RDWR | O_CREAT, 0600));
  return semget(ftok(path, 1), 1, IPC_CREAT | 0600);
}

static int take_semaphore(const char* path) {
  struct sembuf operations[2] = {{0, 0, IPC_NOWAIT}, {0, 1, SEM_UNDO}};  // from none to one
  return semop(semaphores(path), operations, 2) == 0;
}

static int take(const char* how, const char* path) {
  if (strcmp(how, "lock") == 0) return take_lock(path) >= 0;
  if (strcmp(how, "socket") == 0) return take_name(path);
  if (strcmp(how, "child") == 0) return leave_to_child(path);
  return take_semaphore(path);
}

int main(int argc, char** argv) {
  if (argc < 3) return 2;
  if (strcmp(argv[1], "remove") == 0) return semctl(semaphores(argv[2]), 0, IPC_RMID);
  if (!take(argv[1], argv[2])) {
    fprintf(stderr, "only_one: another run is alive: %s\n", strerror(errno));
    return 1;
  }
  pthread_t threads[2];
  for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, add, NULL);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
  return sum != 6;
}
