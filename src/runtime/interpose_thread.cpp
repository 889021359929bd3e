// pthread_create and what ends or awaits a thread.
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>

#include <cerrno>

#include "runtime/controlled/operations.h"
#include "runtime/free_detect.h"
#include "runtime/free_engine.h"
#include "runtime/identity.h"
#include "runtime/mode.h"
#include "runtime/platform/export.h"
#include "runtime/platform/futex.h"
#include "runtime/platform/memory.h"
#include "runtime/platform/real.h"
#include "runtime/platform/syscall.h"
#include "runtime/platform/text.h"
#include "runtime/thread.h"
#include "runtime/thread_end.h"

namespace heddle::runtime {
namespace {

using Routine = void* (*)(void*);

HEDDLE_REAL Real<int(pthread_t*, const pthread_attr_t*, Routine, void*)> real_create{
    "pthread_create"};
HEDDLE_REAL Real<int(pthread_t, void**)> real_join{"pthread_join"};
HEDDLE_REAL Real<int(pthread_t, void**)> real_tryjoin{"pthread_tryjoin_np"};
HEDDLE_REAL Real<int(pthread_t, void**, const timespec*)> real_timedjoin{"pthread_timedjoin_np"};
HEDDLE_REAL Real<int(pthread_t, void**, clockid_t, const timespec*)> real_clockjoin{
    "pthread_clockjoin_np"};
HEDDLE_REAL Real<int(pthread_t)> real_detach{"pthread_detach"};
HEDDLE_REAL Real<int(pthread_t)> real_cancel{"pthread_cancel"};
HEDDLE_REAL Real<void()> real_testcancel{"pthread_testcancel"};
HEDDLE_REAL Real<int(int, int*)> real_setcancelstate{"pthread_setcancelstate"};
HEDDLE_REAL Real<int(int, int*)> real_setcanceltype{"pthread_setcanceltype"};
HEDDLE_REAL Real<void(void*)> real_exit{"pthread_exit"};
HEDDLE_REAL Real<int(pthread_t, const char*)> real_setname{"pthread_setname_np"};

// A signal handler that runs in a new thread before that has its number is nobody's: signals wait that long. As the kernel has it, a
// bit each. Not those that an instruction brings about itself, nor libc's own.
using SignalMask = std::uint64_t;
constexpr SignalMask bit_of(int signal) { return SignalMask{1} << (signal - 1); }
constexpr SignalMask kMayWait =
    ~(bit_of(SIGSEGV) | bit_of(SIGBUS) | bit_of(SIGFPE) | bit_of(SIGILL) | bit_of(SIGTRAP) |
      bit_of(SIGABRT) | bit_of(SIGSYS) | bit_of(32) | bit_of(33));

SignalMask change_mask(int how, SignalMask mask) {
  SignalMask before = 0;
  raw_syscall(SYS_rt_sigprocmask, how, as_word(&mask), as_word(&before), sizeof mask);
  return before;
}

bool has_own_mask(const pthread_attr_t* attributes) {
  sigset_t mask;
  return attributes != nullptr && pthread_attr_getsigmask_np(attributes, &mask) == 0;
}

// What a new thread of the free engine needs to know. Kept in a list of our own and used again.
struct Birth {
  Routine routine;
  void* argument;
  ThreadId id;
  std::uint64_t path_hash;
  SignalMask mask;  // to begin with, if it is not the attributes' matter
  bool has_mask;
  Birth* next;
};
Birth* g_unused = nullptr;
constinit FutexLock g_births;

Birth* take_birth() {
  g_births.lock();
  Birth* birth = g_unused;
  if (birth != nullptr) g_unused = birth->next;
  g_births.unlock();
  return birth != nullptr ? birth : static_cast<Birth*>(allocate_forever(sizeof(Birth)));
}

void give_back(Birth* birth) {
  g_births.lock();
  birth->next = g_unused;
  g_unused = birth;
  g_births.unlock();
}

void* begin_thread(void* argument) {
  auto* const birth = static_cast<Birth*>(argument);
  const Birth mine = *birth;
  give_back(birth);
  if (!inactive()) {
    register_thread(mine.id, mine.path_hash);
    watch_for_thread_end();
    begin_free_thread();
    if (g_detecting) note_handle(mine.id, pthread_self());
    free_event({.kind = EventKind::thread_start, .object = nullptr, .caller = nullptr},
               EventPhase::before);
  }
  if (mine.has_mask) change_mask(SIG_SETMASK, mine.mask);
  return mine.routine(mine.argument);
}

bool starts_detached(const pthread_attr_t* attributes) {
  int state = PTHREAD_CREATE_JOINABLE;
  if (attributes != nullptr) pthread_attr_getdetachstate(attributes, &state);
  return state == PTHREAD_CREATE_DETACHED;
}

int create_free(pthread_t* thread, const pthread_attr_t* attributes, Routine routine,
                void* argument, void* caller) {
  Birth* const birth = take_birth();
  if (birth == nullptr) return real_create(thread, attributes, routine, argument);
  birth->routine = routine;
  birth->argument = argument;
  birth->id = announce_child(self(), reinterpret_cast<void*>(routine), caller, &birth->path_hash);
  const ThreadId child = birth->id;
  const std::uint64_t detached = starts_detached(attributes) ? 1 : 0;
  const Occurrence occurrence{.kind = EventKind::thread_create,
                              .object = nullptr,
                              .caller = caller,
                              .argument = detached << 16 | child.value};
  birth->has_mask = g_detecting && !has_own_mask(attributes);
  return around(occurrence, [&] {
    const bool masks = birth->has_mask;
    if (masks) birth->mask = change_mask(SIG_BLOCK, kMayWait);
    const SignalMask before = birth->mask;
    const int result = real_create(thread, attributes, begin_thread, birth);
    if (masks) change_mask(SIG_SETMASK, before);
    if (result == 0 && g_detecting) note_handle(child, *thread);
    if (result != 0) give_back(birth);
    return result;
  });
}

Occurrence on_thread(EventKind kind, pthread_t thread, void* caller) {
  const std::uint64_t target = g_detecting ? thread_of_handle(thread).value : 0;
  return {.kind = kind, .object = nullptr, .caller = caller, .argument = target};
}

}  // namespace
}  // namespace heddle::runtime

using namespace heddle;
using namespace heddle::runtime;

HEDDLE_EXPORT int pthread_create(pthread_t* thread, const pthread_attr_t* attributes,
                                 void* (*routine)(void*), void* argument) {
  if (inactive()) {
    end_time_before_run();
    controlled::note_thread_in_child();
    return real_create(thread, attributes, routine, argument);
  }
  void* const announced = current_thread().creation_caller;
  void* const caller = announced != nullptr ? announced : HEDDLE_CALLER;
  current_thread().creation_caller = nullptr;
  if (under_control()) {
    return controlled::thread_create(thread, attributes, routine, argument, caller);
  }
  if (runtime::controlled() || current_thread().in_runtime) {
    return real_create(thread, attributes, routine, argument);
  }
  return create_free(thread, attributes, routine, argument, caller);
}

HEDDLE_EXPORT int pthread_join(pthread_t thread, void** result) {
  if (under_control()) return controlled::thread_join(thread, result, HEDDLE_CALLER);
  return around(on_thread(EventKind::thread_join, thread, HEDDLE_CALLER),
                [&] { return real_join(thread, result); });
}

HEDDLE_EXPORT int pthread_tryjoin_np(pthread_t thread, void** result) {
  if (under_control()) return controlled::thread_tryjoin(thread, result, HEDDLE_CALLER);
  return around(on_thread(EventKind::thread_join, thread, HEDDLE_CALLER),
                [&] { return real_tryjoin(thread, result); });
}

HEDDLE_EXPORT int pthread_timedjoin_np(pthread_t thread, void** result, const timespec* deadline) {
  if (under_control()) {
    return controlled::thread_timedjoin(thread, result, CLOCK_REALTIME, deadline, HEDDLE_CALLER);
  }
  return around(on_thread(EventKind::thread_join, thread, HEDDLE_CALLER), [&] {
    const TamperedTime time = TamperedTime::honest(CLOCK_REALTIME, deadline);
    return real_timedjoin(thread, result, time.get());
  });
}

HEDDLE_EXPORT int pthread_clockjoin_np(pthread_t thread, void** result, clockid_t clock,
                                       const timespec* deadline) {
  const bool known = clock == CLOCK_REALTIME || clock == CLOCK_MONOTONIC;
  if (known && under_control()) {
    return controlled::thread_timedjoin(thread, result, clock, deadline, HEDDLE_CALLER);
  }
  return around(on_thread(EventKind::thread_join, thread, HEDDLE_CALLER), [&] {
    const TamperedTime time = TamperedTime::honest(clock, deadline);
    return real_clockjoin(thread, result, clock, time.get());
  });
}

HEDDLE_EXPORT int pthread_detach(pthread_t thread) noexcept {
  if (under_control()) return controlled::thread_detach(thread, HEDDLE_CALLER);
  return around(on_thread(EventKind::thread_detach, thread, HEDDLE_CALLER),
                [&] { return real_detach(thread); });
}

HEDDLE_EXPORT int pthread_cancel(pthread_t thread) {
  if (under_control()) return controlled::thread_cancel(thread, HEDDLE_CALLER);
  return around(on_thread(EventKind::thread_cancel, thread, HEDDLE_CALLER),
                [&] { return real_cancel(thread); });
}

HEDDLE_EXPORT void pthread_testcancel() {
  if (under_control()) return controlled::thread_poll_cancel(HEDDLE_CALLER);
  real_testcancel();
}
HEDDLE_EXPORT int pthread_setcancelstate(int state, int* old) {
  return under_control() ? controlled::set_cancel_state(state, old)
                         : real_setcancelstate(state, old);
}
HEDDLE_EXPORT int pthread_setcanceltype(int type, int* old) {
  return under_control() ? controlled::set_cancel_type(type, old) : real_setcanceltype(type, old);
}

// The end itself is noticed in thread_end.cpp; it unwinds through here.
HEDDLE_EXPORT void pthread_exit(void* result) {
  if (under_control()) controlled::thread_exiting();
  real_exit(result);
  __builtin_unreachable();
}

HEDDLE_EXPORT int pthread_setname_np(pthread_t thread, const char* name) noexcept {
  if (!inactive() && pthread_equal(thread, pthread_self()) != 0) {
    const ThreadId id = self().id;
    if (id != kNoThread) {
      ThreadRecord& record = g_control->threads[id.value];
      TextBuilder(record.name, sizeof record.name).add(name);
    }
  }
  return real_setname(thread, name);
}
