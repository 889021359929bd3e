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

// The same, and who only reads may do without: between two times at which it has the same even version, nobody changed anything.
class VersionLock {
 public:
  constexpr VersionLock() = default;

  void lock() {
    for (unsigned looks = 0;; wait_a_little(looks++)) {
      std::uint64_t now = __atomic_load_n(&version_, __ATOMIC_RELAXED);
      if (is_free(now) && __atomic_compare_exchange_n(&version_, &now, now + 1, true,
                                                      __ATOMIC_ACQUIRE, __ATOMIC_RELAXED)) {
        return;
      }
    }
  }
  // The same where nobody else is there.
  void lock_alone() { ++version_; }
  void unlock() { __atomic_store_n(&version_, version_ + 1, __ATOMIC_RELEASE); }
  // The same for who has changed nothing: the version stays what it was.
  void unlock_unchanged() { __atomic_store_n(&version_, version_ - 1, __ATOMIC_RELEASE); }

  static bool is_free(std::uint64_t version) { return version % 2 == 0; }
  std::uint64_t version() const { return __atomic_load_n(&version_, __ATOMIC_ACQUIRE); }
  // For who holds it: which version it had before, and which it will have after unlock().
  std::uint64_t version_before() const { return version_ - 1; }
  std::uint64_t version_after() const { return version_ + 1; }
  // What was read since that version() is of one piece.
  bool is_still(std::uint64_t version) const {
    __atomic_thread_fence(__ATOMIC_ACQUIRE);
    return __atomic_load_n(&version_, __ATOMIC_RELAXED) == version;
  }

 private:
  std::uint64_t version_ = 0;
};

template <class Lock>
class SpinGuard {
 public:
  explicit SpinGuard(Lock& lock) : lock_(lock) { lock_.lock(); }
  ~SpinGuard() { lock_.unlock(); }
  SpinGuard(const SpinGuard&) = delete;
  SpinGuard& operator=(const SpinGuard&) = delete;

 private:
  Lock& lock_;
};

}  // namespace heddle
