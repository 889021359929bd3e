// WHAT    Threads print whole lines to one stream.
// EXPECT  pass
// WITHIN  strategy every runs 40 seed 1
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { kThreads = 3, kLines = 3 };

static FILE* stream;

static void* print_lines(void* argument) {
  for (int i = 0; i < kLines; i++) fprintf(stream, "line of thread %ld\n", (long)argument);
  return NULL;
}

int main(void) {
  char* text;
  size_t size;
  stream = open_memstream(&text, &size);
  pthread_t threads[kThreads];
  for (long i = 0; i < kThreads; i++) pthread_create(&threads[i], NULL, print_lines, (void*)i);
  for (int i = 0; i < kThreads; i++) pthread_join(threads[i], NULL);
  fclose(stream);
  int lines = 0;
  for (char* line = strtok(text, "\n"); line != NULL; line = strtok(NULL, "\n")) {
    assert(strncmp(line, "line of thread ", 15) == 0 && strlen(line) == 16);
    lines++;
  }
  assert(lines == kThreads * kLines);
  free(text);
  return 0;
}
