// What libstdc++ does inside the library, where no callback tells of it: the guards of function-local statics and futures
// that become ready at the end of a thread are published by atomics of its own, and it creates threads on behalf of the
// program. Only detectors and reports are told; nothing is decided here. The real functions may throw, so nothing is kept across them that needs undoing.
#include <cstddef>

#include "runtime/detection.h"
#include "runtime/platform/export.h"
#include "runtime/platform/real.h"
#include "runtime/thread.h"

using heddle::runtime::Real;
using heddle::runtime::show_acquired;
using heddle::runtime::show_released;

namespace {

HEDDLE_REAL Real<int(void*)> real_guard_acquire{"__cxa_guard_acquire"};
HEDDLE_REAL Real<void(void*)> real_guard_release{"__cxa_guard_release"};
HEDDLE_REAL Real<void(void*)> real_make_ready{
    "_ZNSt13__future_base13_State_baseV211_Make_ready6_M_setEv"};

// libstdc++'s layout, part of its ABI: a link and a function, then a weak_ptr to the state; in the state its result, then
// the status that a waiter looks at.
struct MakeReady {
  void* link[2];
  std::byte* state;
};
constexpr std::size_t kStatus = 2 * sizeof(void*);

HEDDLE_REAL Real<void(void*, void*, void (*)())> real_start_thread{
    "_ZNSt6thread15_M_start_threadESt10unique_ptrINS_6_StateESt14default_deleteIS1_EEPFvvE"};

}  // namespace

// std::thread::_M_start_thread(): the place that creates the thread is the program's, not the library's.
HEDDLE_EXPORT void
_ZNSt6thread15_M_start_threadESt10unique_ptrINS_6_StateESt14default_deleteIS1_EEPFvvE(
    void* self, void* state, void (*depend)()) {
  heddle::runtime::current_thread().creation_caller = HEDDLE_CALLER;
  real_start_thread(self, state, depend);
  heddle::runtime::current_thread().creation_caller = nullptr;
}

HEDDLE_EXPORT int __cxa_guard_acquire(void* guard) {
  const int initialise = real_guard_acquire(guard);
  if (initialise == 0) show_acquired(guard, HEDDLE_CALLER);
  return initialise;
}
HEDDLE_EXPORT void __cxa_guard_release(void* guard) {
  show_released(guard, HEDDLE_CALLER);
  real_guard_release(guard);
}

// std::__future_base::_State_baseV2::_Make_ready::_M_set(): the result is there; told when its thread ends.
HEDDLE_EXPORT void _ZNSt13__future_base13_State_baseV211_Make_ready6_M_setEv(void* self) {
  show_released(static_cast<const MakeReady*>(self)->state + kStatus, HEDDLE_CALLER);
  real_make_ready(self);
}
