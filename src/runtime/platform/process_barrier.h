// A memory barrier for every thread of the process at once, so that those who come often need none of their own.
#pragma once

#include <linux/membarrier.h>

#include "runtime/platform/syscall.h"

namespace heddle::runtime {

inline void cross_process_barrier() {
  if (raw_syscall(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED) == 0) return;
  // The program may have forbidden it since it was made ready. What a processor has written is in its cache long before this is
  // over.
  for (int i = 0; i < 100'000; ++i) __builtin_ia32_pause();
}

// The barrier, made ready; null if the kernel has none. Quick only before there are threads.
using ProcessBarrier = void (*)();
inline ProcessBarrier process_barrier() {
  const bool ready = raw_syscall(SYS_membarrier, MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED) == 0 &&
                     raw_syscall(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED) == 0;
  return ready ? cross_process_barrier : nullptr;
}

}  // namespace heddle::runtime
