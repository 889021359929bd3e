// Draws from all that a program may take for random.
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdlib.h>
#include <sys/auxv.h>
#include <sys/random.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

unsigned drawn;

static void mix(unsigned bits) { drawn = drawn * 31 + bits; }

__attribute__((constructor)) static void draw(void) {
  unsigned bits = 0;
  if (getrandom(&bits, sizeof bits, 0) != sizeof bits) abort();
  mix(bits);
  if (syscall(SYS_getrandom, &bits, sizeof bits, 0) != sizeof bits) abort();
  mix(bits);
  const int device = open("/dev/urandom", O_RDONLY);
  if (read(device, &bits, sizeof bits) != sizeof bits) abort();
  mix(bits);
  close(device);
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  mix((unsigned)now.tv_nsec);
  mix((unsigned)time(NULL));
  mix(*(const unsigned*)getauxval(AT_RANDOM));
  drawn = 3 + drawn % 50;
}
