#include "runtime/pinned_ids.h"

#include "runtime/mode.h"
#include "runtime/platform/syscall.h"
#include "runtime/thread.h"

namespace heddle::runtime {

namespace {

constexpr pid_t kFirst =
    4'194'305;  // of the process and its first thread; the kernel's are at most 2^22

pid_t g_process = 0;  // the kernel's number of the process that is told others; 0: nobody is
pid_t g_threads[kMaxThreads];

}  // namespace

pid_t own_process() { return static_cast<pid_t>(raw_syscall(SYS_getpid)); }

void begin_pinned_ids() {
  g_process = own_process();
  note_pinned_thread(self().id, self().tid);
}

void note_pinned_thread(ThreadId thread, pid_t real) {
  if (g_process == 0 || thread == kNoThread) return;
  __atomic_store_n(&g_threads[thread.value], real, __ATOMIC_RELAXED);
}

pid_t told_process(pid_t real) { return g_process != 0 && real == g_process ? kFirst : real; }

pid_t told_thread(ThreadId thread, pid_t real) {
  return g_process == 0 || thread == kNoThread ? real : kFirst + static_cast<pid_t>(thread.value);
}

pid_t told_calling_thread() {
  const auto real = static_cast<pid_t>(raw_syscall(SYS_gettid));
  if (g_process == 0 || own_process() != g_process) return real;
  return told_thread(current_thread().id, real);
}

pid_t real_id(pid_t told) {
  if (g_process == 0) return told;
  if (told < -1) return told < -kFirst - static_cast<pid_t>(kMaxThreads) ? told : -real_id(-told);
  if (told < kFirst || told >= kFirst + static_cast<pid_t>(kMaxThreads)) return told;
  if (told == kFirst) return g_process;
  const pid_t real = __atomic_load_n(&g_threads[told - kFirst], __ATOMIC_RELAXED);
  return real != 0 ? real : told;
}

void note_asked_ids() {
  if (controlled()) __atomic_store_n(&g_control->outcome.asked_ids, 1, __ATOMIC_RELAXED);
}

}  // namespace heddle::runtime
