// WHAT    Connections to local listeners whose queue is full: another thread or another process takes one, the listener is closed,
//         the time is up, a handler or a cancellation ends the wait. Each is told as the kernel does.
// EXPECT  pass
// WITHIN  strategy every runs 20 seed 1
// CONTROL whole
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

struct Queue {
  struct sockaddr_un address;
  socklen_t length;
  int listener;
  int client;  // of the one that fills it
};

static atomic_int handled, enough, asking;

static int connect_to(const struct Queue* queue, int client) {
  errno = 0;
  const int result = connect(client, (const struct sockaddr*)&queue->address, queue->length);
  assert((fcntl(client, F_GETFL) & O_NONBLOCK) == 0);
  return result;
}

static struct Queue make_full(int type) {
  struct Queue queue = {.address = {.sun_family = AF_UNIX}};
  queue.listener = socket(AF_UNIX, type, 0);
  queue.length = offsetof(struct sockaddr_un, sun_path);
  assert(bind(queue.listener, (const struct sockaddr*)&queue.address, queue.length) == 0);
  queue.length = sizeof queue.address;
  assert(getsockname(queue.listener, (struct sockaddr*)&queue.address, &queue.length) == 0);
  assert(listen(queue.listener, 0) == 0);
  queue.client = socket(AF_UNIX, type, 0);
  assert(connect_to(&queue, queue.client) == 0 && errno == 0);
  return queue;
}

static void* accept_one(void* argument) {
  const struct Queue* queue = argument;
  const int connection = accept(queue->listener, NULL, NULL);
  assert(connection >= 0);
  close(connection);
  return NULL;
}

static void* accept_later(void* argument) {
  usleep(300000);
  return accept_one(argument);
}

static void* accept_without_waiting(void* argument) {
  const struct Queue* queue = argument;
  fcntl(queue->listener, F_SETFL, O_NONBLOCK);
  int connection;
  while ((connection = accept(queue->listener, NULL, NULL)) < 0) sched_yield();
  close(connection);
  return NULL;
}

static void* give_up(void* argument) {
  const struct Queue* queue = argument;
  close(queue->listener);
  return NULL;
}

// What connect answers while `other` does its part.
static int meanwhile(void* (*other)(void*), int type) {
  struct Queue queue = make_full(type);
  const int client = socket(AF_UNIX, type, 0);
  pthread_t thread;
  pthread_create(&thread, NULL, other, &queue);
  const int error = connect_to(&queue, client) == 0 ? 0 : errno;
  pthread_join(thread, NULL);
  close(client);
  close(queue.client);
  close(queue.listener);
  return error;
}

static void while_a_child_accepts(void) {
  struct Queue queue = make_full(SOCK_STREAM);
  const pid_t child = fork();
  if (child == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    usleep(1000);
    accept_one(&queue);
    _exit(0);
  }
  const int client = socket(AF_UNIX, SOCK_STREAM, 0);
  assert(connect_to(&queue, client) == 0 && errno == 0);
  assert(waitpid(child, NULL, 0) == child);
  close(client);
  close(queue.client);
  close(queue.listener);
}

static void until_the_time_is_up(void) {
  struct Queue queue = make_full(SOCK_STREAM);
  const int client = socket(AF_UNIX, SOCK_STREAM, 0);
  const struct timeval timeout = {.tv_usec = 20000};
  assert(setsockopt(client, SOL_SOCKET, SO_SNDTIMEO, &timeout, sizeof timeout) == 0);
  assert(connect_to(&queue, client) == -1 && errno == EAGAIN);
  close(client);
  close(queue.client);
  close(queue.listener);
}

static void count(int number) {
  (void)number;
  handled++;
}

static void* send_until_enough(void* target) {
  while (!enough) {
    usleep(1000);
    pthread_kill(*(pthread_t*)target, SIGUSR1);
  }
  return NULL;
}

static void until_a_handler_ran(void) {
  struct Queue queue = make_full(SOCK_STREAM);
  const int client = socket(AF_UNIX, SOCK_STREAM, 0);
  const struct sigaction action = {.sa_handler = count};
  sigaction(SIGUSR1, &action, NULL);
  pthread_t self = pthread_self(), sender;
  pthread_create(&sender, NULL, send_until_enough, &self);
  assert(connect_to(&queue, client) == -1 && errno == EINTR && handled > 0);
  enough = 1;
  pthread_join(sender, NULL);
  close(client);
  close(queue.client);
  close(queue.listener);
}

static void* ask(void* argument) {
  const int client = socket(AF_UNIX, SOCK_STREAM, 0);
  asking = 1;
  connect_to(argument, client);
  assert(0);
  return NULL;
}

static void until_it_is_cancelled(void) {
  struct Queue queue = make_full(SOCK_STREAM);
  pthread_t thread;
  pthread_create(&thread, NULL, ask, &queue);
  while (!asking) usleep(1000);
  pthread_cancel(thread);
  void* result;
  pthread_join(thread, &result);
  assert(result == PTHREAD_CANCELED);
  close(queue.client);
  close(queue.listener);
}

int main(void) {
  assert(meanwhile(accept_one, SOCK_STREAM) == 0);
  assert(meanwhile(accept_one, SOCK_SEQPACKET) == 0);
  assert(meanwhile(accept_later, SOCK_STREAM) == 0);
  assert(meanwhile(accept_without_waiting, SOCK_STREAM) == 0);
  assert(meanwhile(give_up, SOCK_STREAM) == ECONNREFUSED);
  until_the_time_is_up();
  until_a_handler_ran();
  until_it_is_cancelled();
  while_a_child_accepts();
  return 0;
}
