// The rest of TSan's public interface: fibers, reports, external tags, hooks and test helpers. There is never a TSan report
// to describe, so the questions about one get the answer "none"; hooks are weak so that a program's own win.
#include <cstddef>
#include <cstdint>

#include "runtime/controlled/operations.h"
#include "runtime/entry.h"
#include "runtime/free_engine.h"
#include "runtime/platform/export.h"

using namespace heddle::runtime;  // NOLINT: thin entry points

#define HEDDLE_WEAK_EXPORT HEDDLE_EXPORT __attribute__((weak))

namespace {

// Fibers of the program (not of our carrier): names only. A fiber's number is never 0.
std::uintptr_t g_last_fiber = 0;
constinit thread_local std::uintptr_t t_fiber = 0;

std::uintptr_t new_fiber() { return __atomic_add_fetch(&g_last_fiber, 1, __ATOMIC_RELAXED); }

std::uintptr_t g_last_tag = 0;

}  // namespace

// --- fibers ---
HEDDLE_EXPORT void* __tsan_get_current_fiber() {
  if (t_fiber == 0) t_fiber = new_fiber();
  return reinterpret_cast<void*>(t_fiber);
}
HEDDLE_EXPORT void* __tsan_create_fiber(unsigned) { return reinterpret_cast<void*>(new_fiber()); }
HEDDLE_EXPORT void __tsan_destroy_fiber(void*) {}
HEDDLE_EXPORT void __tsan_switch_to_fiber(void* fiber, unsigned) {
  t_fiber = reinterpret_cast<std::uintptr_t>(fiber);
}
HEDDLE_EXPORT void __tsan_set_fiber_name(void*, const char*) {}

// --- external objects ---
HEDDLE_EXPORT void* __tsan_external_register_tag(const char*) {
  return reinterpret_cast<void*>(__atomic_add_fetch(&g_last_tag, 1, __ATOMIC_RELAXED));
}
HEDDLE_EXPORT void __tsan_external_register_header(void*, const char*) {}
HEDDLE_EXPORT void __tsan_external_assign_tag(void*, void*) {}

// --- reports: there are none ---
HEDDLE_EXPORT void* __tsan_get_current_report() { return nullptr; }
HEDDLE_EXPORT int __tsan_get_report_data(void*, const char**, int*, int*, int*, int*, int*, int*,
                                         int*, void**, unsigned long) {
  return 0;
}
HEDDLE_EXPORT int __tsan_get_report_tag(void*, std::uintptr_t*) { return 0; }
HEDDLE_EXPORT int __tsan_get_report_stack(void*, unsigned long, void**, unsigned long) { return 0; }
HEDDLE_EXPORT int __tsan_get_report_mop(void*, unsigned long, int*, void**, int*, int*, int*,
                                        void**, unsigned long) {
  return 0;
}
HEDDLE_EXPORT int __tsan_get_report_loc(void*, unsigned long, const char**, void**, std::uintptr_t*,
                                        std::size_t*, int*, int*, int*, void**, unsigned long) {
  return 0;
}
HEDDLE_EXPORT int __tsan_get_report_loc_object_type(void*, unsigned long, const char**) {
  return 0;
}
HEDDLE_EXPORT int __tsan_get_report_mutex(void*, unsigned long, std::uint64_t*, void**, int*,
                                          void**, unsigned long) {
  return 0;
}
HEDDLE_EXPORT int __tsan_get_report_thread(void*, unsigned long, int*, std::uint64_t*, int*,
                                           const char**, int*, void**, unsigned long) {
  return 0;
}
HEDDLE_EXPORT int __tsan_get_report_unique_tid(void*, unsigned long, int*) { return 0; }
HEDDLE_EXPORT const char* __tsan_locate_address(void*, char*, std::size_t, void**, std::size_t*) {
  return "unknown";
}
HEDDLE_EXPORT int __tsan_get_alloc_stack(void*, void**, std::size_t, int*, std::uint64_t*) {
  return 0;
}

// --- hooks ---
HEDDLE_WEAK_EXPORT void __tsan_on_report(void*) {}
HEDDLE_WEAK_EXPORT const char* __tsan_default_options() { return ""; }
HEDDLE_WEAK_EXPORT const char* __tsan_default_suppressions() { return ""; }
HEDDLE_WEAK_EXPORT int __tsan_symbolize_external(void*, char*, int, char*, int, int*, int*) {
  return 0;
}
HEDDLE_WEAK_EXPORT void __tsan_symbolize_external_ex(
    void*, void (*)(void*, const char*, const char*, int, int), void*) {}

// --- for TSan's own tests: a barrier that is no synchronisation to anybody who watches ---
HEDDLE_EXPORT unsigned long __tsan_testonly_shadow_stack_current_size() { return 0; }

namespace {

// In the 64 bits that the interface gives: how many threads, and how many have come so far.
struct TestBarrier {
  std::uint32_t threads;
  std::uint32_t arrived;
};
static_assert(sizeof(TestBarrier) == sizeof(std::uint64_t));

}  // namespace

HEDDLE_EXPORT void __tsan_testonly_barrier_init(std::uint64_t* barrier, std::uint32_t threads) {
  auto* const test = reinterpret_cast<TestBarrier*>(barrier);
  test->threads = threads;
  test->arrived = 0;
}
HEDDLE_EXPORT void __tsan_testonly_barrier_wait(std::uint64_t* barrier) {
  auto* const test = reinterpret_cast<TestBarrier*>(barrier);
  const std::uint32_t mine = __atomic_fetch_add(&test->arrived, 1, __ATOMIC_ACQ_REL);
  const std::uint32_t round = mine / test->threads;
  while (__atomic_load_n(&test->arrived, __ATOMIC_ACQUIRE) / test->threads == round)
    entry::yield(HEDDLE_CALLER);
}
