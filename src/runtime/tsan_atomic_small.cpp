// Atomics of the TSan ABI, 8 to 32 bits. gcc's compare_exchange takes a pointer to what is expected, clang's
// _val takes the value and returns what was there.
#include "runtime/tsan_atomic.h"

#include "runtime/platform/export.h"

using namespace heddle::runtime;  // NOLINT: this file is nothing but thin entry points

// 8 bits
HEDDLE_EXPORT std::uint8_t __tsan_atomic8_load(const volatile std::uint8_t* address, int order) {
  return atomic_load(address, order, HEDDLE_CALLER);
}
HEDDLE_EXPORT void __tsan_atomic8_store(volatile std::uint8_t* address, std::uint8_t value,
                                        int order) {
  atomic_store(address, value, order, HEDDLE_CALLER);
}
HEDDLE_EXPORT std::uint8_t __tsan_atomic8_exchange(volatile std::uint8_t* address,
                                                   std::uint8_t value, int order) {
  return atomic_change<Exchange>(address, value, order, HEDDLE_CALLER);
}
HEDDLE_EXPORT std::uint8_t __tsan_atomic8_fetch_add(volatile std::uint8_t* address,
                                                    std::uint8_t value, int order) {
  return atomic_change<Add>(address, value, order, HEDDLE_CALLER);
}
HEDDLE_EXPORT std::uint8_t __tsan_atomic8_fetch_sub(volatile std::uint8_t* address,
                                                    std::uint8_t value, int order) {
  return atomic_change<Sub>(address, value, order, HEDDLE_CALLER);
}
HEDDLE_EXPORT std::uint8_t __tsan_atomic8_fetch_and(volatile std::uint8_t* address,
                                                    std::uint8_t value, int order) {
  return atomic_change<And>(address, value, order, HEDDLE_CALLER);
}
HEDDLE_EXPORT std::uint8_t __tsan_atomic8_fetch_or(volatile std::uint8_t* address,
                                                   std::uint8_t value, int order) {
  return atomic_change<Or>(address, value, order, HEDDLE_CALLER);
}
HEDDLE_EXPORT std::uint8_t __tsan_atomic8_fetch_xor(volatile std::uint8_t* address,
                                                    std::uint8_t value, int order) {
  return atomic_change<Xor>(address, value, order, HEDDLE_CALLER);
}
HEDDLE_EXPORT std::uint8_t __tsan_atomic8_fetch_nand(volatile std::uint8_t* address,
                                                     std::uint8_t value, int order) {
  return atomic_change<Nand>(address, value, order, HEDDLE_CALLER);
}
HEDDLE_EXPORT int __tsan_atomic8_compare_exchange_strong(volatile std::uint8_t* address,
                                                         std::uint8_t* expected,
                                                         std::uint8_t desired, int order, int) {
  return atomic_cas(address, expected, desired, order, HEDDLE_CALLER);
}
HEDDLE_EXPORT int __tsan_atomic8_compare_exchange_weak(volatile std::uint8_t* address,
                                                       std::uint8_t* expected, std::uint8_t desired,
                                                       int order, int) {
  return atomic_cas(address, expected, desired, order, HEDDLE_CALLER);
}
HEDDLE_EXPORT std::uint8_t __tsan_atomic8_compare_exchange_val(volatile std::uint8_t* address,
                                                               std::uint8_t expected,
                                                               std::uint8_t desired, int order,
                                                               int) {
  atomic_cas(address, &expected, desired, order, HEDDLE_CALLER);
  return expected;
}

// 16 bits
HEDDLE_EXPORT std::uint16_t __tsan_atomic16_load(const volatile std::uint16_t* address, int order) {
  return atomic_load(address, order, HEDDLE_CALLER);
}
HEDDLE_EXPORT void __tsan_atomic16_store(volatile std::uint16_t* address, std::uint16_t value,
                                         int order) {
  atomic_store(address, value, order, HEDDLE_CALLER);
}
HEDDLE_EXPORT std::uint16_t __tsan_atomic16_exchange(volatile std::uint16_t* address,
                                                     std::uint16_t value, int order) {
  return atomic_change<Exchange>(address, value, order, HEDDLE_CALLER);
}
HEDDLE_EXPORT std::uint16_t __tsan_atomic16_fetch_add(volatile std::uint16_t* address,
                                                      std::uint16_t value, int order) {
  return atomic_change<Add>(address, value, order, HEDDLE_CALLER);
}
HEDDLE_EXPORT std::uint16_t __tsan_atomic16_fetch_sub(volatile std::uint16_t* address,
                                                      std::uint16_t value, int order) {
  return atomic_change<Sub>(address, value, order, HEDDLE_CALLER);
}
HEDDLE_EXPORT std::uint16_t __tsan_atomic16_fetch_and(volatile std::uint16_t* address,
                                                      std::uint16_t value, int order) {
  return atomic_change<And>(address, value, order, HEDDLE_CALLER);
}
HEDDLE_EXPORT std::uint16_t __tsan_atomic16_fetch_or(volatile std::uint16_t* address,
                                                     std::uint16_t value, int order) {
  return atomic_change<Or>(address, value, order, HEDDLE_CALLER);
}
HEDDLE_EXPORT std::uint16_t __tsan_atomic16_fetch_xor(volatile std::uint16_t* address,
                                                      std::uint16_t value, int order) {
  return atomic_change<Xor>(address, value, order, HEDDLE_CALLER);
}
HEDDLE_EXPORT std::uint16_t __tsan_atomic16_fetch_nand(volatile std::uint16_t* address,
                                                       std::uint16_t value, int order) {
  return atomic_change<Nand>(address, value, order, HEDDLE_CALLER);
}
HEDDLE_EXPORT int __tsan_atomic16_compare_exchange_strong(volatile std::uint16_t* address,
                                                          std::uint16_t* expected,
                                                          std::uint16_t desired, int order, int) {
  return atomic_cas(address, expected, desired, order, HEDDLE_CALLER);
}
HEDDLE_EXPORT int __tsan_atomic16_compare_exchange_weak(volatile std::uint16_t* address,
                                                        std::uint16_t* expected,
                                                        std::uint16_t desired, int order, int) {
  return atomic_cas(address, expected, desired, order, HEDDLE_CALLER);
}
HEDDLE_EXPORT std::uint16_t __tsan_atomic16_compare_exchange_val(volatile std::uint16_t* address,
                                                                 std::uint16_t expected,
                                                                 std::uint16_t desired, int order,
                                                                 int) {
  atomic_cas(address, &expected, desired, order, HEDDLE_CALLER);
  return expected;
}

// 32 bits
HEDDLE_EXPORT std::uint32_t __tsan_atomic32_load(const volatile std::uint32_t* address, int order) {
  return atomic_load(address, order, HEDDLE_CALLER);
}
HEDDLE_EXPORT void __tsan_atomic32_store(volatile std::uint32_t* address, std::uint32_t value,
                                         int order) {
  atomic_store(address, value, order, HEDDLE_CALLER);
}
HEDDLE_EXPORT std::uint32_t __tsan_atomic32_exchange(volatile std::uint32_t* address,
                                                     std::uint32_t value, int order) {
  return atomic_change<Exchange>(address, value, order, HEDDLE_CALLER);
}
HEDDLE_EXPORT std::uint32_t __tsan_atomic32_fetch_add(volatile std::uint32_t* address,
                                                      std::uint32_t value, int order) {
  return atomic_change<Add>(address, value, order, HEDDLE_CALLER);
}
HEDDLE_EXPORT std::uint32_t __tsan_atomic32_fetch_sub(volatile std::uint32_t* address,
                                                      std::uint32_t value, int order) {
  return atomic_change<Sub>(address, value, order, HEDDLE_CALLER);
}
HEDDLE_EXPORT std::uint32_t __tsan_atomic32_fetch_and(volatile std::uint32_t* address,
                                                      std::uint32_t value, int order) {
  return atomic_change<And>(address, value, order, HEDDLE_CALLER);
}
HEDDLE_EXPORT std::uint32_t __tsan_atomic32_fetch_or(volatile std::uint32_t* address,
                                                     std::uint32_t value, int order) {
  return atomic_change<Or>(address, value, order, HEDDLE_CALLER);
}
HEDDLE_EXPORT std::uint32_t __tsan_atomic32_fetch_xor(volatile std::uint32_t* address,
                                                      std::uint32_t value, int order) {
  return atomic_change<Xor>(address, value, order, HEDDLE_CALLER);
}
HEDDLE_EXPORT std::uint32_t __tsan_atomic32_fetch_nand(volatile std::uint32_t* address,
                                                       std::uint32_t value, int order) {
  return atomic_change<Nand>(address, value, order, HEDDLE_CALLER);
}
HEDDLE_EXPORT int __tsan_atomic32_compare_exchange_strong(volatile std::uint32_t* address,
                                                          std::uint32_t* expected,
                                                          std::uint32_t desired, int order, int) {
  return atomic_cas(address, expected, desired, order, HEDDLE_CALLER);
}
HEDDLE_EXPORT int __tsan_atomic32_compare_exchange_weak(volatile std::uint32_t* address,
                                                        std::uint32_t* expected,
                                                        std::uint32_t desired, int order, int) {
  return atomic_cas(address, expected, desired, order, HEDDLE_CALLER);
}
HEDDLE_EXPORT std::uint32_t __tsan_atomic32_compare_exchange_val(volatile std::uint32_t* address,
                                                                 std::uint32_t expected,
                                                                 std::uint32_t desired, int order,
                                                                 int) {
  atomic_cas(address, &expected, desired, order, HEDDLE_CALLER);
  return expected;
}
