// Waiting in the kernel, for our own words. No libc, no errno, no cancellation point.
#pragma once

#include <linux/futex.h>
#include <time.h>

#include <cstdint>

#include "runtime/platform/syscall.h"

namespace heddle::runtime {

enum class WaitEnd { woken, timed_out };

inline constexpr std::uint64_t kForever = ~std::uint64_t{0};

// Returns once the word differs from `value`, somebody wakes, a signal comes, or the time is over.
inline WaitEnd futex_wait(std::uint32_t* word, std::uint32_t value,
                          std::uint64_t nanoseconds = kForever) {
  constexpr std::uint64_t kSecond = 1'000'000'000;
  const timespec time{static_cast<time_t>(nanoseconds / kSecond),
                      static_cast<long>(nanoseconds % kSecond)};
  const long result = raw_syscall(SYS_futex, as_word(word), FUTEX_WAIT | FUTEX_PRIVATE_FLAG, value,
                                  nanoseconds == kForever ? 0 : as_word(&time));
  return result == -110 ? WaitEnd::timed_out : WaitEnd::woken;  // ETIMEDOUT
}

inline void futex_wake(std::uint32_t* word, int count) {
  raw_syscall(SYS_futex, as_word(word), FUTEX_WAKE | FUTEX_PRIVATE_FLAG, count);
}

// Mutual exclusion among program threads inside our own code (0 free, 1 taken, 2 taken and waited for).
class FutexLock {
 public:
  void lock() {
    std::uint32_t free = 0;
    if (__atomic_compare_exchange_n(&word_, &free, 1, false, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED)) {
      return;
    }
    while (__atomic_exchange_n(&word_, 2, __ATOMIC_ACQUIRE) != 0) futex_wait(&word_, 2);
  }
  void unlock() {
    if (__atomic_exchange_n(&word_, 0, __ATOMIC_RELEASE) == 2) futex_wake(&word_, 1);
  }

 private:
  std::uint32_t word_ = 0;
};

}  // namespace heddle::runtime
