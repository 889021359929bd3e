// WHAT    Nothing is written to a pipe or a connection that is full, too little to a counter, and urgent data and errors are asked for
//         where there are none: these calls answer at once, whatever the descriptor is ready for.
// EXPECT  pass
// WITHIN  strategy every runs 20 seed 1
// CONTROL whole
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <pthread.h>
#include <stdint.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

static void* nothing(void* unused) { return unused; }

static void fill(int descriptor) {
  char bytes[4096];
  memset(bytes, 0, sizeof bytes);
  const int flags = fcntl(descriptor, F_GETFL);
  fcntl(descriptor, F_SETFL, flags | O_NONBLOCK);
  while (write(descriptor, bytes, sizeof bytes) > 0) continue;
  fcntl(descriptor, F_SETFL, flags);
}

static void write_nothing(int descriptor) {
  const struct iovec none = {NULL, 0};
  fill(descriptor);
  assert(write(descriptor, "", 0) == 0);
  assert(writev(descriptor, &none, 1) == 0);
}

static void write_to_full(void) {
  int ends[2];
  assert(pipe(ends) == 0);
  write_nothing(ends[1]);
  assert(socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0);
  write_nothing(ends[1]);
  assert(send(ends[1], "", 0, 0) == 0);
  const int counter = eventfd(0, 0);
  const uint64_t most = UINT64_MAX - 1;
  assert(write(counter, &most, sizeof most) == sizeof most);
  assert(write(counter, &most, sizeof most - 1) == -1 && errno == EINVAL);
}

static struct sockaddr_in here(void) {
  struct sockaddr_in address = {.sin_family = AF_INET};
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  return address;
}

static void ask_for_errors(void) {
  const int socket_ = socket(AF_INET, SOCK_DGRAM, 0);
  const struct sockaddr_in address = here();
  assert(bind(socket_, (const struct sockaddr*)&address, sizeof address) == 0);
  char data[64], control[256];
  struct iovec part = {data, sizeof data};
  struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
  message.msg_control = control;
  message.msg_controllen = sizeof control;
  assert(recvmsg(socket_, &message, MSG_ERRQUEUE) == -1 && errno == EAGAIN);
  assert(recv(socket_, data, sizeof data, MSG_ERRQUEUE) == -1 && errno == EAGAIN);
}

static void ask_for_urgent_data(void) {
  struct sockaddr_in address = here();
  socklen_t length = sizeof address;
  const int listener = socket(AF_INET, SOCK_STREAM, 0);
  assert(bind(listener, (const struct sockaddr*)&address, length) == 0);
  assert(listen(listener, 1) == 0);
  assert(getsockname(listener, (struct sockaddr*)&address, &length) == 0);
  const int client = socket(AF_INET, SOCK_STREAM, 0);
  assert(connect(client, (const struct sockaddr*)&address, length) == 0);
  const int server = accept(listener, NULL, NULL);
  char byte;
  assert(recv(server, &byte, 1, MSG_OOB) == -1 && errno == EINVAL);
  assert(recv(server, &byte, 1, MSG_OOB | MSG_WAITALL) == -1 && errno == EINVAL);
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, nothing, NULL);
  write_to_full();
  ask_for_errors();
  ask_for_urgent_data();
  pthread_join(thread, NULL);
  return 0;
}
