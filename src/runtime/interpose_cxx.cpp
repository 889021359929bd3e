// What libstdc++ does inside the library, where no callback tells of it: the guards of function-local statics and futures
// that become ready at the end of a thread are published by atomics of its own, and it creates threads and waits on behalf
// of the program; an exception may end a pthread_once. Only detectors and reports are told; nothing is decided here. The real
// functions may throw, so nothing is kept across them that needs undoing.
#include <cstddef>

#include "runtime/crash_site.h"
#include "runtime/detection.h"
#include "runtime/free_detect.h"
#include "runtime/platform/export.h"
#include "runtime/platform/real.h"
#include "runtime/thread.h"

using heddle::runtime::once_caught;
using heddle::runtime::once_unwinds;
using heddle::runtime::Real;
using heddle::runtime::show_acquired;
using heddle::runtime::show_released;

namespace {

HEDDLE_REAL Real<int(void*)> real_guard_acquire{"__cxa_guard_acquire"};
HEDDLE_REAL Real<void(void*)> real_guard_release{"__cxa_guard_release"};
HEDDLE_REAL Real<void(void*)> real_guard_abort{"__cxa_guard_abort"};
HEDDLE_REAL Real<void(void*, void*, void (*)(void*))> real_throw{"__cxa_throw"};
HEDDLE_REAL Real<void()> real_rethrow{"__cxa_rethrow"};
HEDDLE_REAL Real<void*(void*)> real_begin_catch{"__cxa_begin_catch"};
HEDDLE_REAL Real<void(void*)> real_resume{"_Unwind_Resume"};
HEDDLE_REAL Real<void(void*)> real_make_ready{
    "_ZNSt13__future_base13_State_baseV211_Make_ready6_M_setEv"};

// libstdc++'s layout, part of its ABI: a link and a function, then a weak_ptr to the state; in the state its result, then
// the status that a waiter looks at.
struct MakeReady {
  void* link[2];
  std::byte* state;
};
constexpr std::size_t kStatus = 2 * sizeof(void*);

// std::__atomic_futex_unsigned_base: the object, the word, its value, whether there is a deadline, seconds, nanoseconds.
using WaitOnFutex = bool(void*, unsigned*, unsigned, bool, long, long);
HEDDLE_REAL Real<WaitOnFutex> real_wait_until{
    "_ZNSt28__atomic_futex_unsigned_base19_M_futex_wait_"
    "untilEPjjbNSt6chrono8durationIlSt5ratioILl1E"
    "Ll1EEEENS2_IlS3_ILl1ELl1000000000EEEE"};
HEDDLE_REAL Real<WaitOnFutex> real_wait_until_steady{
    "_ZNSt28__atomic_futex_unsigned_base26_M_futex_wait_until_"
    "steadyEPjjbNSt6chrono8durationIlSt5rat"
    "ioILl1ELl1EEEENS2_IlS3_ILl1ELl1000000000EEEE"};
HEDDLE_REAL Real<void(unsigned*)> real_notify_all{
    "_ZNSt28__atomic_futex_unsigned_base19_M_futex_notify_allEPj"};

// What the library asks the kernel for meanwhile is at that place of the program's.
template <class Call>
auto on_behalf_of(void* caller, Call&& call) {
  heddle::runtime::current_thread().futex_caller = caller;
  const auto result = call();
  heddle::runtime::current_thread().futex_caller = nullptr;
  return result;
}

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

// Whoever initialises it, too: another may have tried before, and thrown.
HEDDLE_EXPORT int __cxa_guard_acquire(void* guard) {
  const int initialise = on_behalf_of(HEDDLE_CALLER, [&] { return real_guard_acquire(guard); });
  show_acquired(guard, HEDDLE_CALLER);
  return initialise;
}
HEDDLE_EXPORT void __cxa_guard_abort(void* guard) {
  show_released(guard, HEDDLE_CALLER);
  real_guard_abort(guard);
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

HEDDLE_EXPORT bool
_ZNSt28__atomic_futex_unsigned_base19_M_futex_wait_untilEPjjbNSt6chrono8durationIlSt5ratioILl1ELl1EEEENS2_IlS3_ILl1ELl1000000000EEEE(
    void* self, unsigned* word, unsigned value, bool timed, long seconds, long nanoseconds) {
  return on_behalf_of(HEDDLE_CALLER, [&] {
    return real_wait_until(self, word, value, timed, seconds, nanoseconds);
  });
}
HEDDLE_EXPORT bool
_ZNSt28__atomic_futex_unsigned_base26_M_futex_wait_until_steadyEPjjbNSt6chrono8durationIlSt5ratioILl1ELl1EEEENS2_IlS3_ILl1ELl1000000000EEEE(
    void* self, unsigned* word, unsigned value, bool timed, long seconds, long nanoseconds) {
  return on_behalf_of(HEDDLE_CALLER, [&] {
    return real_wait_until_steady(self, word, value, timed, seconds, nanoseconds);
  });
}
HEDDLE_EXPORT void _ZNSt28__atomic_futex_unsigned_base19_M_futex_notify_allEPj(unsigned* word) {
  heddle::runtime::current_thread().futex_caller = HEDDLE_CALLER;
  real_notify_all(word);
  heddle::runtime::current_thread().futex_caller = nullptr;
}

HEDDLE_EXPORT void __cxa_throw(void* exception, void* type, void (*destroy)(void*)) {
  once_unwinds();
  heddle::runtime::note_throw(HEDDLE_CALLER);
  real_throw(exception, type, destroy);
}
HEDDLE_EXPORT void __cxa_rethrow() {
  once_unwinds();
  real_rethrow();
}
HEDDLE_EXPORT void _Unwind_Resume(void* exception) {
  once_unwinds();
  real_resume(exception);
}
HEDDLE_EXPORT void* __cxa_begin_catch(void* exception) {
  once_caught(__builtin_frame_address(0));
  return real_begin_catch(exception);
}
