// WHAT    A reader sleeps 300 ms "so that the writer is surely done".
// EXPECT  failure exit
// WITHIN  strategy portfolio runs 500 seed 1
// REPLAYS 20/20
// CLASS   sleep-as-synchronisation
// MIN_PREEMPTIONS 0
// DECISIVE read_configuration, write_configuration
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <unistd.h>

static atomic_int configuration;
static int seen;

static void* write_configuration(void* unused) {
  configuration = 7;
  return unused;
}

static void* read_configuration(void* unused) {
  usleep(300 * 1000);
  seen = configuration;
  return unused;
}

int main(void) {
  pthread_t writer, reader;
  pthread_create(&reader, NULL, read_configuration, NULL);
  pthread_create(&writer, NULL, write_configuration, NULL);
  pthread_join(writer, NULL);
  pthread_join(reader, NULL);
  if (seen == 7) return 0;
  fprintf(stderr, "the configuration was read before it was written\n");
  return 1;
}
