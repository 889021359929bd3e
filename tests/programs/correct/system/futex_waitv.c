// WHAT    A thread waits for one of two futexes at once, and for one of them alone where the kernel says that it cannot do that, as
//         those before 5.16 do: it is woken all the same.
// EXPECT  pass
// WITHIN  strategy every runs 40 seed 1
// CONTROL whole
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { kWaitv = 449, kOf32Bits = 2 };

struct Waiter {
  uint64_t value, address;
  uint32_t flags, reserved;
};

static atomic_int never, event;

static void* give(void* unused) {
  event = 1;
  syscall(SYS_futex, &event, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
  return unused;
}

static void wait_for_either(void) {
  const uint32_t flags = kOf32Bits | FUTEX_PRIVATE_FLAG;
  const struct Waiter waiters[2] = {{0, (uintptr_t)&never, flags, 0},
                                    {0, (uintptr_t)&event, flags, 0}};
  if (syscall(kWaitv, waiters, 2, 0, NULL, 0) >= 0 || errno == EAGAIN || errno == EINTR) return;
  assert(errno == ENOSYS);
  syscall(SYS_futex, &event, FUTEX_WAIT_PRIVATE, 0, NULL, NULL, 0);
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, give, NULL);
  while (event == 0) wait_for_either();
  pthread_join(thread, NULL);
  return 0;
}
