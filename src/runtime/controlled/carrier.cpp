#include "runtime/controlled/carrier.h"

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

void await_end(pid_t tid) {
  const long pid = raw_syscall(SYS_getpid, 0, 0, 0, 0, 0, 0);
  while (raw_syscall(SYS_tgkill, pid, tid, 0, 0, 0, 0) == 0) {
    raw_syscall(SYS_sched_yield, 0, 0, 0, 0, 0, 0);
  }
}

}  // namespace heddle::controlled::carrier
