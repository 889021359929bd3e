// Atomics of the TSan ABI, 64 bits, and fences. gcc's compare_exchange takes a pointer to what is expected, clang's
// _val takes the value and returns what was there.
#include "runtime/tsan_atomic.h"

#include "runtime/platform/export.h"

using namespace heddle::runtime;  // NOLINT: this file is nothing but thin entry points

// 64 bits
HEDDLE_EXPORT std::uint64_t __tsan_atomic64_load(const volatile std::uint64_t* address, int order) {
  return atomic_load(address, order, HEDDLE_CALLER);
}
HEDDLE_EXPORT void __tsan_atomic64_store(volatile std::uint64_t* address, std::uint64_t value,
                                         int order) {
  atomic_store(address, value, order, HEDDLE_CALLER);
}
HEDDLE_EXPORT std::uint64_t __tsan_atomic64_exchange(volatile std::uint64_t* address,
                                                     std::uint64_t value, int order) {
  return atomic_change<Exchange>(address, value, order, HEDDLE_CALLER);
}
HEDDLE_EXPORT std::uint64_t __tsan_atomic64_fetch_add(volatile std::uint64_t* address,
                                                      std::uint64_t value, int order) {
  return atomic_change<Add>(address, value, order, HEDDLE_CALLER);
}
HEDDLE_EXPORT std::uint64_t __tsan_atomic64_fetch_sub(volatile std::uint64_t* address,
                                                      std::uint64_t value, int order) {
  return atomic_change<Sub>(address, value, order, HEDDLE_CALLER);
}
HEDDLE_EXPORT std::uint64_t __tsan_atomic64_fetch_and(volatile std::uint64_t* address,
                                                      std::uint64_t value, int order) {
  return atomic_change<And>(address, value, order, HEDDLE_CALLER);
}
HEDDLE_EXPORT std::uint64_t __tsan_atomic64_fetch_or(volatile std::uint64_t* address,
                                                     std::uint64_t value, int order) {
  return atomic_change<Or>(address, value, order, HEDDLE_CALLER);
}
HEDDLE_EXPORT std::uint64_t __tsan_atomic64_fetch_xor(volatile std::uint64_t* address,
                                                      std::uint64_t value, int order) {
  return atomic_change<Xor>(address, value, order, HEDDLE_CALLER);
}
HEDDLE_EXPORT std::uint64_t __tsan_atomic64_fetch_nand(volatile std::uint64_t* address,
                                                       std::uint64_t value, int order) {
  return atomic_change<Nand>(address, value, order, HEDDLE_CALLER);
}
HEDDLE_EXPORT int __tsan_atomic64_compare_exchange_strong(volatile std::uint64_t* address,
                                                          std::uint64_t* expected,
                                                          std::uint64_t desired, int order, int) {
  return atomic_cas(address, expected, desired, order, HEDDLE_CALLER);
}
HEDDLE_EXPORT int __tsan_atomic64_compare_exchange_weak(volatile std::uint64_t* address,
                                                        std::uint64_t* expected,
                                                        std::uint64_t desired, int order, int) {
  return atomic_cas(address, expected, desired, order, HEDDLE_CALLER);
}
HEDDLE_EXPORT std::uint64_t __tsan_atomic64_compare_exchange_val(volatile std::uint64_t* address,
                                                                 std::uint64_t expected,
                                                                 std::uint64_t desired, int order,
                                                                 int) {
  atomic_cas(address, &expected, desired, order, HEDDLE_CALLER);
  return expected;
}

// fences
HEDDLE_EXPORT void __tsan_atomic_thread_fence(int order) {
  perform(nullptr, 0, heddle::EventKind::atomic_fence, order_of(order), HEDDLE_CALLER, [] {
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
    return AtomicResult{0, false};
  });
}
// Orders a thread with its own signal handlers only: the call itself is barrier enough for the compiler.
HEDDLE_EXPORT void __tsan_atomic_signal_fence(int) { __atomic_signal_fence(__ATOMIC_SEQ_CST); }
