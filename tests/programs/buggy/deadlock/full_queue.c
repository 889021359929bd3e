// WHAT    A client connects while it holds the lock that the server takes before it accepts: with the queue of the listener full,
//         each waits for the other.
// EXPECT  failure deadlock  sites ask, serve
// WITHIN  strategy random runs 50 seed 1
// REPLAYS 20/20
// CLASS   deadlock
// MIN_PREEMPTIONS 0
// DECISIVE ask, serve
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

enum { kConnections = 3 };

static pthread_mutex_t log_lock = PTHREAD_MUTEX_INITIALIZER;
static struct sockaddr_un address;
static socklen_t length;
static int listener, asked, served;

static void* ask(void* unused) {
  for (int i = 0; i < kConnections; ++i) {
    const int client = socket(AF_UNIX, SOCK_STREAM, 0);
    pthread_mutex_lock(&log_lock);
    assert(connect(client, (const struct sockaddr*)&address, length) == 0);
    ++asked;
    pthread_mutex_unlock(&log_lock);
    close(client);
  }
  return unused;
}

static void* serve(void* unused) {
  for (int i = 0; i < kConnections; ++i) {
    pthread_mutex_lock(&log_lock);
    ++served;
    pthread_mutex_unlock(&log_lock);
    close(accept(listener, NULL, NULL));
  }
  return unused;
}

int main(void) {
  // A name that the kernel makes up, of no file.
  address.sun_family = AF_UNIX;
  listener = socket(AF_UNIX, SOCK_STREAM, 0);
  assert(bind(listener, (const struct sockaddr*)&address, offsetof(struct sockaddr_un, sun_path)) ==
         0);
  length = sizeof address;
  assert(getsockname(listener, (struct sockaddr*)&address, &length) == 0);
  assert(listen(listener, 1) == 0);
  pthread_t client, server;
  pthread_create(&client, NULL, ask, NULL);
  pthread_create(&server, NULL, serve, NULL);
  pthread_join(client, NULL);
  pthread_join(server, NULL);
  return asked == kConnections && served == kConnections ? 0 : 1;
}
