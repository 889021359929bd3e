// WHAT    Threads connect to a listener of their own process, over the loopback and by a local name whose queue is short: what
//         connect answers is what the kernel does, and the sockets stay as blocking as they were.
// EXPECT  pass
// WITHIN  strategy every runs 20 seed 1
// CONTROL whole
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <pthread.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

enum { kClients = 3 };

struct Place {
  union {
    struct sockaddr any;
    struct sockaddr_in loopback;
    struct sockaddr_un local;
  } address;
  socklen_t length;
  int listener;
};

static struct Place loopback, local;

static void listen_at(struct Place* place, int family, int queue) {
  place->listener = socket(family, SOCK_STREAM, 0);
  assert(bind(place->listener, &place->address.any, place->length) == 0);
  place->length = sizeof place->address;
  assert(getsockname(place->listener, &place->address.any, &place->length) == 0);
  assert(listen(place->listener, queue) == 0);
}

static void* serve(void* argument) {
  const struct Place* place = argument;
  for (int i = 0; i < kClients; ++i) {
    const int connection = accept(place->listener, NULL, NULL);
    assert(connection >= 0);
    assert(write(connection, "x", 1) == 1);
    close(connection);
  }
  return NULL;
}

static void* ask(void* argument) {
  const struct Place* place = argument;
  const int client = socket(place->address.any.sa_family, SOCK_STREAM, 0);
  errno = 0;
  assert(connect(client, &place->address.any, place->length) == 0 && errno == 0);
  assert((fcntl(client, F_GETFL) & O_NONBLOCK) == 0);
  if (place == &loopback)  // a local one would wait for room in the queue first
    assert(connect(client, &place->address.any, place->length) == -1 && errno == EISCONN);
  char byte;
  assert(read(client, &byte, 1) == 1 && byte == 'x');
  close(client);
  return NULL;
}

static void use(struct Place* place) {
  pthread_t server, clients[kClients];
  for (int i = 0; i < kClients; ++i) pthread_create(&clients[i], NULL, ask, place);
  pthread_create(&server, NULL, serve, place);
  for (int i = 0; i < kClients; ++i) pthread_join(clients[i], NULL);
  pthread_join(server, NULL);
  close(place->listener);
}

int main(void) {
  loopback.address.loopback.sin_family = AF_INET;
  loopback.address.loopback.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  loopback.length = sizeof loopback.address.loopback;
  listen_at(&loopback, AF_INET, 8);
  use(&loopback);
  const int refused = socket(AF_INET, SOCK_STREAM, 0);
  assert(connect(refused, &loopback.address.any, loopback.length) == -1 && errno == ECONNREFUSED);
  close(refused);
  assert(connect(-1, &loopback.address.any, loopback.length) == -1 && errno == EBADF);

  // A name that the kernel makes up, of no file.
  local.address.local.sun_family = AF_UNIX;
  local.length = offsetof(struct sockaddr_un, sun_path);
  listen_at(&local, AF_UNIX, 0);
  use(&local);
  const int datagrams = socket(AF_INET, SOCK_DGRAM, 0);
  assert(connect(datagrams, &loopback.address.any, loopback.length) == 0);
  close(datagrams);
  return 0;
}
