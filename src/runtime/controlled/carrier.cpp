#include "runtime/controlled/carrier.h"

#include <fcntl.h>
#include <linux/futex.h>
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "runtime/platform/syscall.h"

namespace heddle::controlled::carrier {

using runtime::raw_syscall;

Wake park(Task& self) {
  for (;;) {
    const std::uint32_t wake = __atomic_exchange_n(&self.wake_word, 0, __ATOMIC_ACQUIRE);
    if (wake != 0) return static_cast<Wake>(wake);
    raw_syscall(SYS_futex, reinterpret_cast<long>(&self.wake_word), FUTEX_WAIT | FUTEX_PRIVATE_FLAG,
                0, 0, 0, 0);
  }
}

void unpark(Task& task, Wake wake) {
  __atomic_store_n(&task.wake_word, static_cast<std::uint32_t>(wake), __ATOMIC_RELEASE);
  raw_syscall(SYS_futex, reinterpret_cast<long>(&task.wake_word), FUTEX_WAKE | FUTEX_PRIVATE_FLAG,
              1, 0, 0, 0);
}

namespace {

// The first thread stays as a zombie until the whole process ends, so its existence says nothing; its state does.
bool first_thread_ended() {
  const long file =
      raw_syscall(SYS_open, reinterpret_cast<long>("/proc/thread-self/../../stat"), O_RDONLY);
  if (file < 0) return true;  // no /proc here: go on without knowing
  char text[512];
  const long size = raw_syscall(SYS_read, file, reinterpret_cast<long>(text), sizeof text - 1);
  raw_syscall(SYS_close, file);
  long after_name = size;
  while (after_name > 0 && text[after_name - 1] != ')') --after_name;
  return after_name + 1 >= size || text[after_name + 1] == 'Z';
}

}  // namespace

void await_end(pid_t tid) {
  const long pid = raw_syscall(SYS_getpid);
  if (tid == pid) {
    while (!first_thread_ended()) raw_syscall(SYS_sched_yield);
    return;
  }
  while (raw_syscall(SYS_tgkill, pid, tid, 0) == 0) raw_syscall(SYS_sched_yield);
}

}  // namespace heddle::controlled::carrier
