// WHAT    Two threads write messages to one pipe, each with a head and a body in two calls: a body comes
//         after the other's head. No memory is shared, only the pipe.
// EXPECT  failure exit
// WITHIN  strategy portfolio runs 200 seed 1
// REPLAYS 20/20
// CLASS   atomicity
// MIN_PREEMPTIONS 1
// DECISIVE send_message, send_message
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

static int ends[2];

static void* send_message(void* name) {
  const char head[2] = {'<', *(const char*)name};
  const char body[2] = {*(const char*)name, '>'};
  if (write(ends[1], head, sizeof head) < 0) return NULL;
  if (write(ends[1], body, sizeof body) < 0) return NULL;
  return NULL;
}

int main(void) {
  if (pipe(ends) != 0) return 2;
  pthread_t first, second;
  pthread_create(&first, NULL, send_message, "a");
  pthread_create(&second, NULL, send_message, "b");
  pthread_join(first, NULL);
  pthread_join(second, NULL);
  char text[9] = "";
  if (read(ends[0], text, 8) != 8) return 2;
  if (text[1] == text[2] && text[5] == text[6]) return 0;
  fprintf(stderr, "a message is torn\n");
  return 1;
}
