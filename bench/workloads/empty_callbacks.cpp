// The compilers' callbacks with nothing in them: what instrumentation costs before anybody looks.
// Atomics are carried out, because the compiler leaves that to the callee.
#include <cstddef>
#include <cstdint>

#define EMPTY(name) \
  extern "C" void __tsan_##name(void*) {}

EMPTY(func_entry)
EMPTY(read1)
EMPTY(read2)
EMPTY(read4)
EMPTY(read8)
EMPTY(read16)
EMPTY(write1)
EMPTY(write2)
EMPTY(write4)
EMPTY(write8)
EMPTY(write16)
EMPTY(unaligned_read2)
EMPTY(unaligned_read4)
EMPTY(unaligned_read8)
EMPTY(unaligned_read16)
EMPTY(unaligned_write2)
EMPTY(unaligned_write4)
EMPTY(unaligned_write8)
EMPTY(unaligned_write16)
EMPTY(vptr_read)

extern "C" {
void __tsan_init() {}
void __tsan_func_exit() {}
void __tsan_vptr_update(void**, void*) {}
void __tsan_read_range(void*, std::size_t) {}
void __tsan_write_range(void*, std::size_t) {}
void* __tsan_memset(void* to, int value, std::size_t size) {
  return __builtin_memset(to, value, size);
}
void* __tsan_memcpy(void* to, const void* from, std::size_t size) {
  return __builtin_memcpy(to, from, size);
}
}

#define ATOMIC(bits, Type)                                                                      \
  extern "C" Type __tsan_atomic##bits##_load(const volatile Type* at, int) {                    \
    return __atomic_load_n(at, __ATOMIC_SEQ_CST);                                               \
  }                                                                                             \
  extern "C" void __tsan_atomic##bits##_store(volatile Type* at, Type value, int) {             \
    __atomic_store_n(at, value, __ATOMIC_RELEASE);                                              \
  }                                                                                             \
  extern "C" Type __tsan_atomic##bits##_exchange(volatile Type* at, Type value, int) {          \
    return __atomic_exchange_n(at, value, __ATOMIC_SEQ_CST);                                    \
  }                                                                                             \
  extern "C" Type __tsan_atomic##bits##_fetch_add(volatile Type* at, Type value, int) {         \
    return __atomic_fetch_add(at, value, __ATOMIC_SEQ_CST);                                     \
  }                                                                                             \
  extern "C" Type __tsan_atomic##bits##_fetch_sub(volatile Type* at, Type value, int) {         \
    return __atomic_fetch_sub(at, value, __ATOMIC_SEQ_CST);                                     \
  }                                                                                             \
  extern "C" int __tsan_atomic##bits##_compare_exchange_strong(volatile Type* at, Type* expect, \
                                                               Type value, int, int) {          \
    return __atomic_compare_exchange_n(at, expect, value, false, __ATOMIC_SEQ_CST,              \
                                       __ATOMIC_SEQ_CST);                                       \
  }                                                                                             \
  extern "C" int __tsan_atomic##bits##_compare_exchange_weak(volatile Type* at, Type* expect,   \
                                                             Type value, int, int) {            \
    return __atomic_compare_exchange_n(at, expect, value, true, __ATOMIC_SEQ_CST,               \
                                       __ATOMIC_SEQ_CST);                                       \
  }                                                                                             \
  extern "C" Type __tsan_atomic##bits##_compare_exchange_val(volatile Type* at, Type expect,    \
                                                             Type value, int, int) {            \
    __atomic_compare_exchange_n(at, &expect, value, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST); \
    return expect;                                                                              \
  }

ATOMIC(8, std::uint8_t)
ATOMIC(32, std::uint32_t)
ATOMIC(64, std::uint64_t)
