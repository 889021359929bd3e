// WHAT    A driver adds a request while another thread stops it: the stopping flag is tested
//         outside the critical section that counts the request.
// EXPECT  failure crash   sites add_request
// WITHIN  strategy portfolio runs 1000 seed 1
// REPLAYS 20/20
// CLASS   data race|atomicity
// MIN_PREEMPTIONS 1
// DECISIVE io_increment, stop_driver|add_request, stop_driver|io_increment, io_decrement
// PUBLISHED bluetooth_driver
// BUILD   -O0
// ORIGIN  SCTBench CS.bluetooth_driver: two threads.
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>

struct Device {
  int pending_io;
  bool stopping;
  bool stopping_event;
};

static pthread_mutex_t atomic_section = PTHREAD_MUTEX_INITIALIZER;
static bool stopped;

static bool io_increment(struct Device* device) {
  if (device->stopping) return false;
  pthread_mutex_lock(&atomic_section);
  device->pending_io = device->pending_io + 1;
  pthread_mutex_unlock(&atomic_section);
  return true;
}

static void io_decrement(struct Device* device) {
  pthread_mutex_lock(&atomic_section);
  device->pending_io = device->pending_io - 1;
  const int pending = device->pending_io;
  pthread_mutex_unlock(&atomic_section);
  if (pending == 0) device->stopping_event = true;
}

static void* add_request(void* argument) {
  struct Device* device = argument;
  if (io_increment(device)) assert(!stopped);  // the work would be done here
  io_decrement(device);
  return NULL;
}

static void* stop_driver(void* argument) {
  struct Device* device = argument;
  device->stopping = true;
  io_decrement(device);
  if (device->stopping_event) stopped = true;  // the resources would be released here
  return NULL;
}

int main(void) {
  struct Device device = {.pending_io = 1};
  pthread_t stopper, adder;
  pthread_create(&stopper, NULL, stop_driver, &device);
  pthread_create(&adder, NULL, add_request, &device);
  pthread_join(adder, NULL);
  pthread_join(stopper, NULL);
  return 0;
}
