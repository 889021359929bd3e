// WHAT    Semaphores: wait, try, time out, count.
// EXPECT  pass
// WITHIN  strategy every runs 40 seed 1
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <time.h>

static sem_t items, room;
static atomic_int in_buffer;

static void* produce(void* unused) {
  for (int i = 0; i < 3; i++) {
    sem_wait(&room);
    assert(++in_buffer <= 2);
    sem_post(&items);
  }
  return unused;
}

static void* consume(void* unused) {
  for (int i = 0; i < 3; i++) {
    while (sem_wait(&items) != 0) assert(errno == EINTR);
    assert(in_buffer-- >= 1);
    sem_post(&room);
  }
  return unused;
}

int main(void) {
  sem_init(&items, 0, 0);
  sem_init(&room, 0, 2);
  assert(sem_trywait(&items) == -1 && errno == EAGAIN);
  const struct timespec past = {1, 0};
  assert(sem_timedwait(&items, &past) == -1 && errno == ETIMEDOUT);
  pthread_t producer, consumer;
  pthread_create(&consumer, NULL, consume, NULL);
  pthread_create(&producer, NULL, produce, NULL);
  pthread_join(producer, NULL);
  pthread_join(consumer, NULL);
  int value;
  sem_getvalue(&room, &value);
  assert(value == 2);
  sem_destroy(&items);
  sem_destroy(&room);
  return 0;
}
