// WHAT    Messages without a connection to a local socket whose queue is full: another thread takes one, the time is up, the sender
//         does not want to wait. Each is told as the kernel does, and none is lost or comes out of order.
// EXPECT  pass
// WITHIN  strategy every runs 20 seed 1
// CONTROL whole
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stddef.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <unistd.h>

enum { kMore = 4 };  // than there is room for

static struct sockaddr_un address = {.sun_family = AF_UNIX};
static socklen_t length = offsetof(struct sockaddr_un, sun_path);
static int receiver, sender, room;

static void open_both(void) {
  receiver = socket(AF_UNIX, SOCK_DGRAM, 0);
  sender = socket(AF_UNIX, SOCK_DGRAM, 0);
  assert(bind(receiver, (const struct sockaddr*)&address, length) == 0);
  length = sizeof address;
  assert(getsockname(receiver, (struct sockaddr*)&address, &length) == 0);
}

static ssize_t send_one(int number, int flags) {
  return sendto(sender, &number, sizeof number, flags, (const struct sockaddr*)&address, length);
}

static ssize_t send_in_parts(int number) {
  struct iovec parts[2] = {{&number, 1}, {(char*)&number + 1, sizeof number - 1}};
  struct msghdr message = {.msg_name = &address, .msg_namelen = length, .msg_iov = parts};
  message.msg_iovlen = 2;
  return sendmsg(sender, &message, 0);
}

static void fill(void) {
  while (send_one(room, MSG_DONTWAIT) == sizeof(int)) ++room;
  assert(errno == EAGAIN && room > 0);
}

static void wait_in_vain(void) {
  const struct timeval moment = {0, 1000};
  const struct timeval for_ever = {0, 0};
  setsockopt(sender, SOL_SOCKET, SO_SNDTIMEO, &moment, sizeof moment);
  assert(send_one(-1, 0) == -1 && errno == EAGAIN);
  setsockopt(sender, SOL_SOCKET, SO_SNDTIMEO, &for_ever, sizeof for_ever);
}

static void* receive(void* unused) {
  for (int i = 0; i < room + kMore; ++i) {
    int number = -1;
    assert(recv(receiver, &number, sizeof number, 0) == sizeof number && number == i);
  }
  return unused;
}

int main(void) {
  open_both();
  fill();
  wait_in_vain();
  pthread_t thread;
  pthread_create(&thread, NULL, receive, NULL);
  for (int i = room; i < room + kMore; ++i) {
    assert((i % 2 == 0 ? send_one(i, 0) : send_in_parts(i)) == sizeof(int));
  }
  pthread_join(thread, NULL);
  close(sender);
  close(receiver);
  return 0;
}
