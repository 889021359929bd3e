// Mutual exclusion for a handful of instructions, among threads of the program under test that really run in parallel.
// Nobody may be stopped for good inside: callers keep signal handlers of the program out (runtime/thread.h, InRuntime).
#pragma once

#include <cstdint>

namespace heddle {

// Between two looks at something another thread is about to change. Who holds it may have lost its processor.
inline void wait_a_little(unsigned looks) {
  if (looks % 64 != 63) {
    __builtin_ia32_pause();
    return;
  }
  long result = 24;  // sched_yield; straight to the kernel: libc's is the program's
  asm volatile("syscall" : "+a"(result) : : "rcx", "r11", "memory");
}

class SpinLock {
 public:
  constexpr SpinLock() = default;

  void lock() {
    for (unsigned looks = 0; __atomic_exchange_n(&taken_, 1, __ATOMIC_ACQUIRE) != 0;) {
      while (__atomic_load_n(&taken_, __ATOMIC_RELAXED) != 0) wait_a_little(looks++);
    }
  }
  void unlock() { __atomic_store_n(&taken_, 0, __ATOMIC_RELEASE); }

 private:
  std::uint32_t taken_ = 0;
};

class SpinGuard {
 public:
  explicit SpinGuard(SpinLock& lock) : lock_(lock) { lock_.lock(); }
  ~SpinGuard() { lock_.unlock(); }
  SpinGuard(const SpinGuard&) = delete;
  SpinGuard& operator=(const SpinGuard&) = delete;

 private:
  SpinLock& lock_;
};

}  // namespace heddle
