// WHAT    More than fits into a pipe or a socket at once, written in one call and read by another thread; a
//         read that waits for all of it (MSG_WAITALL); messages of a sequenced socket, which stay whole.
// EXPECT  pass
// WITHIN  strategy every runs 10 seed 1
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { kSize = 200000, kMessage = 20000 };

static int ends[2], stream[2], sequenced[2];
static char* out;

static void* send_all(void* unused) {
  assert(write(ends[1], out, kSize) == kSize);
  close(ends[1]);
  assert(send(stream[1], out, kSize, MSG_NOSIGNAL) == kSize);
  assert(send(stream[1], out, 10, MSG_NOSIGNAL) == 10);
  shutdown(stream[1], SHUT_WR);
  assert(send(sequenced[1], out, kMessage, MSG_NOSIGNAL) == kMessage);
  assert(send(sequenced[1], out, 1, MSG_NOSIGNAL) == 1);
  return unused;
}

int main(void) {
  assert(pipe(ends) == 0);
  assert(socketpair(AF_UNIX, SOCK_STREAM, 0, stream) == 0);
  assert(socketpair(AF_UNIX, SOCK_SEQPACKET, 0, sequenced) == 0);
  out = malloc(kSize);
  char* const in = malloc(kSize);
  for (int i = 0; i < kSize; i++) out[i] = (char)(i * 7 + i / 251);
  pthread_t sender;
  pthread_create(&sender, NULL, send_all, NULL);

  int got = 0;
  for (ssize_t n; (n = read(ends[0], in + got, kSize - got)) > 0; got += (int)n) {
  }
  assert(got == kSize && memcmp(in, out, kSize) == 0);

  memset(in, 0, kSize);
  assert(recv(stream[0], in, kSize, MSG_WAITALL) == kSize && memcmp(in, out, kSize) == 0);
  assert(recv(stream[0], in, 100, MSG_WAITALL) == 10);  // the end comes first
  assert(recv(stream[0], in, 100, MSG_WAITALL) == 0);

  assert(recv(sequenced[0], in, kSize, MSG_WAITALL) == kMessage);
  assert(recv(sequenced[0], in, kSize, 0) == 1);
  pthread_join(sender, NULL);
  free(in);
  free(out);
  return 0;
}
