// What libstdc++ publishes with atomics of its own, inside the library, where no callback tells of them: the guards of
// function-local statics, and futures that become ready at the end of a thread. Only the detectors are told; nothing is
// decided here. The real functions may throw, so nothing is kept across them that needs undoing.
#include <cstddef>

#include "runtime/detection.h"
#include "runtime/platform/export.h"
#include "runtime/platform/real.h"

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

}  // namespace

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
