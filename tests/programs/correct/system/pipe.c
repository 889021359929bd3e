// WHAT    Two threads talk through a pipe: a blocked reader is no deadlock.
// EXPECT  pass
// WITHIN  strategy every runs 20 seed 1
#include <assert.h>
#include <pthread.h>
#include <unistd.h>

static int ends[2];

static void* write_numbers(void* unused) {
  for (char i = 0; i < 5; i++) assert(write(ends[1], &i, 1) == 1);
  close(ends[1]);
  return unused;
}

static void* read_numbers(void* unused) {
  char number;
  for (char i = 0; i < 5; i++) {
    assert(read(ends[0], &number, 1) == 1);
    assert(number == i);
  }
  assert(read(ends[0], &number, 1) == 0);
  return unused;
}

int main(void) {
  assert(pipe(ends) == 0);
  pthread_t reader, writer;
  pthread_create(&reader, NULL, read_numbers, NULL);
  pthread_create(&writer, NULL, write_numbers, NULL);
  pthread_join(reader, NULL);
  pthread_join(writer, NULL);
  return 0;
}
