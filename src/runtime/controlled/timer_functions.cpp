#include "runtime/controlled/timer_functions.h"

#include <pthread.h>
#include <signal.h>
#include <sys/syscall.h>

#include "runtime/blocking.h"
#include "runtime/controlled/engine.h"
#include "runtime/controlled/signal_timers.h"
#include "runtime/controlled/threads.h"
#include "runtime/platform/syscall.h"

namespace heddle::controlled {

namespace {

using runtime::as_word;
using runtime::raw_syscall;

// libc has two for itself, and waits for all threads to take the second.
constexpr std::uint64_t kAllSignals = ~(std::uint64_t{3} << (__SIGRTMIN - 1));

std::size_t g_stack_size;   // the most that a timer asked for
Caller g_made_at;           // and where the last was made
bool g_calls[kMaxThreads];  // a thread that is not free for another call

void* serve(void*);

bool is_free(const Task& task) {
  return task.state == TaskState::live && task.routine == serve && !g_calls[task.id.value] &&
         reinterpret_cast<std::size_t>(task.argument) >= g_stack_size;
}

bool somebody_is_free() {
  for (std::uint32_t i = g_engine.live_from; i < g_engine.task_count; ++i) {
    if (is_free(g_engine.tasks[i])) return true;
  }
  return false;
}

// Which of them makes the call is no decision: the first.
bool call_waits(const Task& task) {
  if (!call_is_due()) return false;
  for (std::uint32_t i = g_engine.live_from; i < task.id.value; ++i) {
    const Task& other = g_engine.tasks[i];
    if (is_free(other) && other.ready == call_waits) return false;
  }
  return is_free(task);
}

bool has_begun(const Task& task) { return waits_for_call(g_engine.tasks[task.wait_value]); }

// When it begins is no decision either.
void await_begin(pthread_t thread) {
  const Task* const made = find_task(thread);
  if (made == nullptr) return;  // one too many: it runs beside us
  Intent intent{EventKind::blocking_call};
  intent.caller = g_made_at;
  intent.ready = has_begun;
  intent.wait_value = made->id.value;
  g_engine.point(current(), intent);
}

void make_caller() {
  pthread_attr_t attributes;  // with nothing of the heap in it: it need not be destroyed
  pthread_attr_init(&attributes);
  pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
  if (g_stack_size != 0) pthread_attr_setstacksize(&attributes, g_stack_size);
  pthread_t thread;
  void* const stack_size = reinterpret_cast<void*>(g_stack_size);
  const int error = thread_create(&thread, &attributes, serve, stack_size, g_made_at);
  if (error == 0) await_begin(thread);
}

// Signals are for others, as in libc's.
void* serve(void*) {
  for (;;) {
    raw_syscall(SYS_rt_sigprocmask, SIG_SETMASK, as_word(&kAllSignals), 0, sizeof kAllSignals);
    Task& self = current();
    Intent intent{EventKind::blocking_call};
    intent.ready = call_waits;
    intent.caller = g_made_at;
    g_engine.point(self, intent);
    TimerCall call{};
    if (!take_call(&call)) continue;
    g_calls[self.id.value] = true;
    if (!somebody_is_free()) make_caller();
    runtime::show_acquired(runtime::KernelObject::signal, __SIGRTMIN, g_made_at);
    call.function(call.value);
    g_calls[current().id.value] = false;
  }
}

}  // namespace

void provide_caller(std::size_t stack_size, Caller caller) {
  if (stack_size > g_stack_size) g_stack_size = stack_size;
  g_made_at = caller;
  if (!somebody_is_free()) make_caller();
}

bool waits_for_call(const Task& task) { return task.ready == call_waits; }

}  // namespace heddle::controlled
