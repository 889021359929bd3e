// WHAT    A client and a server thread over a socket pair.
// EXPECT  pass
// WITHIN  strategy every runs 20 seed 1
#include <assert.h>
#include <pthread.h>
#include <sys/socket.h>
#include <unistd.h>

static int sockets[2];

static void* serve(void* unused) {
  int request;
  while (recv(sockets[1], &request, sizeof request, MSG_WAITALL) == sizeof request) {
    const int reply = 2 * request;
    assert(send(sockets[1], &reply, sizeof reply, MSG_NOSIGNAL) == sizeof reply);
  }
  return unused;
}

int main(void) {
  assert(socketpair(AF_UNIX, SOCK_STREAM, 0, sockets) == 0);
  pthread_t server;
  pthread_create(&server, NULL, serve, NULL);
  for (int i = 1; i <= 3; i++) {
    int reply;
    assert(send(sockets[0], &i, sizeof i, MSG_NOSIGNAL) == sizeof i);
    assert(recv(sockets[0], &reply, sizeof reply, MSG_WAITALL) == sizeof reply);
    assert(reply == 2 * i);
  }
  shutdown(sockets[0], SHUT_RDWR);
  pthread_join(server, NULL);
  return 0;
}
