// WHAT    The C library calls functions in threads that it makes for itself, when a message has come and when a read has ended:
//         who waits for them does not wait for ever.
// EXPECT  pass
// WITHIN  strategy random runs 10 seed 1
// LINK    -lrt
#define _GNU_SOURCE
#include <aio.h>
#include <assert.h>
#include <fcntl.h>
#include <mqueue.h>
#include <semaphore.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

static sem_t called;

static void call(union sigval value) {
  (void)value;
  sem_post(&called);
}

static const struct sigevent in_a_thread = {.sigev_notify = SIGEV_THREAD,
                                            .sigev_notify_function = call};

static void a_message_comes(void) {
  char name[40];
  snprintf(name, sizeof name, "/heddle-test-%d", (int)getpid());
  struct mq_attr room = {.mq_maxmsg = 2, .mq_msgsize = 8};
  const mqd_t queue = mq_open(name, O_CREAT | O_RDWR, 0600, &room);
  if (queue == (mqd_t)-1) return;  // this kernel has none
  mq_unlink(name);
  assert(mq_notify(queue, &in_a_thread) == 0);
  assert(mq_send(queue, "x", 1, 0) == 0);
  while (sem_wait(&called) != 0) {
  }
  mq_close(queue);
}

static void a_read_ends(void) {
  const int file = open("/dev/zero", O_RDONLY);
  assert(file >= 0);
  char byte = 1;
  struct aiocb request = {
      .aio_fildes = file, .aio_buf = &byte, .aio_nbytes = 1, .aio_sigevent = in_a_thread};
  assert(aio_read(&request) == 0);
  while (sem_wait(&called) != 0) {
  }
  assert(aio_error(&request) == 0 && aio_return(&request) == 1);
  close(file);
}

int main(void) {
  sem_init(&called, 0, 0);
  a_message_comes();
  a_read_ends();
  return 0;
}
