// Atomics of the TSan ABI, 128 bits: as the smaller ones. A file of its own, because cmpxchg16b needs a register that those leave to the
// program (controlled/own_state.h).
#include "runtime/tsan_atomic.h"

#include "runtime/platform/export.h"

using namespace heddle::runtime;  // NOLINT: this file is nothing but thin entry points

HEDDLE_EXPORT Wide __tsan_atomic128_load(const volatile Wide* address, int order) {
  return atomic_load(address, order, HEDDLE_CALLER);
}
HEDDLE_EXPORT void __tsan_atomic128_store(volatile Wide* address, Wide value, int order) {
  atomic_store(address, value, order, HEDDLE_CALLER);
}
HEDDLE_EXPORT Wide __tsan_atomic128_exchange(volatile Wide* address, Wide value, int order) {
  return atomic_change<Exchange>(address, value, order, HEDDLE_CALLER);
}
HEDDLE_EXPORT Wide __tsan_atomic128_fetch_add(volatile Wide* address, Wide value, int order) {
  return atomic_change<Add>(address, value, order, HEDDLE_CALLER);
}
HEDDLE_EXPORT Wide __tsan_atomic128_fetch_sub(volatile Wide* address, Wide value, int order) {
  return atomic_change<Sub>(address, value, order, HEDDLE_CALLER);
}
HEDDLE_EXPORT Wide __tsan_atomic128_fetch_and(volatile Wide* address, Wide value, int order) {
  return atomic_change<And>(address, value, order, HEDDLE_CALLER);
}
HEDDLE_EXPORT Wide __tsan_atomic128_fetch_or(volatile Wide* address, Wide value, int order) {
  return atomic_change<Or>(address, value, order, HEDDLE_CALLER);
}
HEDDLE_EXPORT Wide __tsan_atomic128_fetch_xor(volatile Wide* address, Wide value, int order) {
  return atomic_change<Xor>(address, value, order, HEDDLE_CALLER);
}
HEDDLE_EXPORT Wide __tsan_atomic128_fetch_nand(volatile Wide* address, Wide value, int order) {
  return atomic_change<Nand>(address, value, order, HEDDLE_CALLER);
}
HEDDLE_EXPORT int __tsan_atomic128_compare_exchange_strong(volatile Wide* address, Wide* expected,
                                                           Wide desired, int order, int) {
  return atomic_cas(address, expected, desired, order, HEDDLE_CALLER);
}
HEDDLE_EXPORT int __tsan_atomic128_compare_exchange_weak(volatile Wide* address, Wide* expected,
                                                         Wide desired, int order, int) {
  return atomic_cas(address, expected, desired, order, HEDDLE_CALLER);
}
HEDDLE_EXPORT Wide __tsan_atomic128_compare_exchange_val(volatile Wide* address, Wide expected,
                                                         Wide desired, int order, int) {
  atomic_cas(address, &expected, desired, order, HEDDLE_CALLER);
  return expected;
}
