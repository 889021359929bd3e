// WHAT    An event loop: poll over a pipe and an eventfd with a timeout, fed by two threads.
// EXPECT  pass
// WITHIN  strategy every runs 20 seed 1
#include <assert.h>
#include <poll.h>
#include <pthread.h>
#include <stdint.h>
#include <sys/eventfd.h>
#include <unistd.h>

static int ends[2], event;

static void* write_pipe(void* unused) {
  for (int i = 0; i < 3; i++) assert(write(ends[1], "x", 1) == 1);
  return unused;
}

static void* post_event(void* unused) {
  const uint64_t one = 1;
  for (int i = 0; i < 3; i++) assert(write(event, &one, sizeof one) == sizeof one);
  return unused;
}

int main(void) {
  assert(pipe(ends) == 0);
  event = eventfd(0, EFD_NONBLOCK);
  pthread_t first, second;
  pthread_create(&first, NULL, write_pipe, NULL);
  pthread_create(&second, NULL, post_event, NULL);
  struct pollfd files[2] = {{.fd = ends[0], .events = POLLIN}, {.fd = event, .events = POLLIN}};
  int bytes = 0;
  uint64_t events = 0;
  while (bytes < 3 || events < 3) {
    const int ready = poll(files, 2, 50);
    assert(ready >= 0);
    if (files[0].revents & POLLIN) {
      char text[4];
      bytes += (int)read(ends[0], text, sizeof text);
    }
    uint64_t posted;
    if ((files[1].revents & POLLIN) && read(event, &posted, sizeof posted) == sizeof posted)
      events += posted;
    files[0].revents = files[1].revents = 0;
  }
  assert(bytes == 3 && events == 3);
  pthread_join(first, NULL);
  pthread_join(second, NULL);
  assert(poll(NULL, 0, 2) == 0);
  return 0;
}
