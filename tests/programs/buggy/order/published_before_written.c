// WHAT    A writer tells the number of a page before the page is in the file (pwrite); a reader who looks in between finds the old one.
// EXPECT  failure exit
// CONTROL whole
// WITHIN  strategy portfolio runs 200 seed 1
// REPLAYS 20/20
// CLASS   order violation|atomicity
// MIN_PREEMPTIONS 2
// DECISIVE write_page, main
#define _GNU_SOURCE
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

static int file;
static atomic_int newest;

static void* write_page(void* unused) {
  const int page = 1;
  newest = page;  // too early
  if (pwrite(file, &page, sizeof page, 0) != sizeof page) newest = -1;
  return unused;
}

int main(void) {
  pthread_t writer;
  file = memfd_create("pages", 0);
  if (file < 0 || ftruncate(file, sizeof(int)) != 0) return 2;
  pthread_create(&writer, NULL, write_page, NULL);
  const int wanted = newest;
  int page = -1;
  const ssize_t size = pread(file, &page, sizeof page, 0);
  pthread_join(writer, NULL);
  if (size == sizeof page && page < wanted) {
    fprintf(stderr, "page %d where %d was told\n", page, wanted);
    return 1;
  }
  return 0;
}
