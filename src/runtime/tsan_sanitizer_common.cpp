// sanitizer/common_interface_defs.h and allocator_interface.h: what programs that know they are built with a sanitizer
// call. Reports, coverage and crash handling are not ours; the calls are there so that such programs link and run.
#include <malloc.h>

#include <cstddef>
#include <cstdint>

#include "runtime/platform/export.h"
#include "runtime/platform/real.h"

#define HEDDLE_WEAK_EXPORT HEDDLE_EXPORT __attribute__((weak))

using heddle::runtime::Real;

namespace {

HEDDLE_REAL Real<std::size_t(void*)> real_usable_size{"malloc_usable_size"};
HEDDLE_REAL Real<struct mallinfo2()> real_mallinfo{"mallinfo2"};

// Memory at any address: the compiler makes one plain instruction of it.
template <class T>
struct [[gnu::packed]] Unaligned {
  T value;
};
template <class T>
T load(const void* address) {
  return static_cast<const Unaligned<T>*>(address)->value;
}
template <class T>
void store(void* address, T value) {
  static_cast<Unaligned<T>*>(address)->value = value;
}

}  // namespace

HEDDLE_EXPORT std::uint16_t __sanitizer_unaligned_load16(const void* address) {
  return load<std::uint16_t>(address);
}
HEDDLE_EXPORT std::uint32_t __sanitizer_unaligned_load32(const void* address) {
  return load<std::uint32_t>(address);
}
HEDDLE_EXPORT std::uint64_t __sanitizer_unaligned_load64(const void* address) {
  return load<std::uint64_t>(address);
}
HEDDLE_EXPORT void __sanitizer_unaligned_store16(void* address, std::uint16_t value) {
  store(address, value);
}
HEDDLE_EXPORT void __sanitizer_unaligned_store32(void* address, std::uint32_t value) {
  store(address, value);
}
HEDDLE_EXPORT void __sanitizer_unaligned_store64(void* address, std::uint64_t value) {
  store(address, value);
}

// reports
HEDDLE_EXPORT void __sanitizer_set_report_path(const char*) {}
HEDDLE_EXPORT void __sanitizer_set_report_fd(void*) {}
HEDDLE_EXPORT const char* __sanitizer_get_report_path() { return ""; }
HEDDLE_EXPORT void __sanitizer_set_death_callback(void (*)()) {}
HEDDLE_EXPORT int __sanitizer_acquire_crash_state() { return 1; }
HEDDLE_EXPORT void __sanitizer_print_stack_trace() {}
HEDDLE_WEAK_EXPORT void __sanitizer_report_error_summary(const char*) {}
HEDDLE_WEAK_EXPORT void __sanitizer_on_print(const char*) {}
HEDDLE_WEAK_EXPORT void __sanitizer_sandbox_on_notify(void*) {}

// symbols: empty answers, always terminated
HEDDLE_EXPORT void __sanitizer_symbolize_pc(void*, const char*, char* text, std::size_t room) {
  if (room != 0) text[0] = '\0';
}
HEDDLE_EXPORT void __sanitizer_symbolize_global(void*, const char*, char* text, std::size_t room) {
  if (room != 0) text[0] = '\0';
}
HEDDLE_EXPORT int __sanitizer_get_module_and_offset_for_pc(void*, char* path, std::size_t room,
                                                           void** offset) {
  if (room != 0) path[0] = '\0';
  if (offset != nullptr) *offset = nullptr;
  return 0;
}

// the heap is libc's
HEDDLE_EXPORT std::size_t __sanitizer_get_estimated_allocated_size(std::size_t size) {
  return size;
}
HEDDLE_EXPORT int __sanitizer_get_ownership(const void* block) {
  return real_usable_size(const_cast<void*>(block)) != 0 ? 1 : 0;
}
HEDDLE_EXPORT std::size_t __sanitizer_get_allocated_size(const void* block) {
  return real_usable_size(const_cast<void*>(block));
}
HEDDLE_EXPORT std::size_t __sanitizer_get_current_allocated_bytes() {
  return real_mallinfo().uordblks;
}
HEDDLE_EXPORT std::size_t __sanitizer_get_heap_size() { return real_mallinfo().arena; }
HEDDLE_EXPORT std::size_t __sanitizer_get_free_bytes() { return real_mallinfo().fordblks; }
HEDDLE_EXPORT std::size_t __sanitizer_get_unmapped_bytes() { return 0; }
HEDDLE_EXPORT int __sanitizer_install_malloc_and_free_hooks(void (*)(const volatile void*,
                                                                     std::size_t),
                                                            void (*)(const volatile void*)) {
  return 0;  // none installed, as the interface says when there is no room
}
HEDDLE_WEAK_EXPORT void __sanitizer_malloc_hook(void*, std::size_t) {}
HEDDLE_WEAK_EXPORT void __sanitizer_free_hook(void*) {}

// coverage instrumentation of the sanitizers
HEDDLE_EXPORT void __sanitizer_cov_dump() {}
HEDDLE_EXPORT void __sanitizer_cov_reset() {}
HEDDLE_EXPORT void __sanitizer_dump_coverage(const std::uintptr_t*, std::uintptr_t) {}
HEDDLE_EXPORT void __sanitizer_dump_trace_pc_guard_coverage() {}
