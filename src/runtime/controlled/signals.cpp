#include "runtime/controlled/signals.h"

#include <signal.h>
#include <sys/syscall.h>

#include "runtime/blocking.h"
#include "runtime/controlled/mutex.h"
#include "runtime/controlled/operations.h"
#include "runtime/controlled/signal_timers.h"
#include "runtime/controlled/threads.h"
#include "runtime/controlled/world_waits.h"
#include "runtime/platform/syscall.h"

namespace heddle::controlled {

using runtime::as_word;
using runtime::raw_syscall;

namespace {

// Those behind them are queued with what was sent along: left to the kernel.
constexpr int kPlainSignals = 31;

std::uint32_t bit(int signal) { return std::uint32_t{1} << (signal - 1); }

// What a handler may change of a thread that is in the middle of an operation.
struct Middle {
  explicit Middle(Task& task)
      : task(task),
        queued(task.queued),
        notified(task.notified),
        cancellation_point(task.cancellation_point) {}
  ~Middle() {
    task.queued = queued;
    task.notified = notified;
    task.cancellation_point = cancellation_point;
  }
  Middle(const Middle&) = delete;
  Middle& operator=(const Middle&) = delete;

  Task& task;
  std::uint64_t queued;
  bool notified;
  bool cancellation_point;
};

// One that waits for it, by the kernel's account of who sent it: a process, a thread, or a timer.
struct Waiting {
  int signal;
  bool by_process;
  bool by_timer;
  siginfo_t info;  // of a timer's
};

Waiting take_next(Task& self) {
  Waiting next{};
  if (self.signals != 0) {
    next.signal = __builtin_ctz(self.signals) + 1;
    next.by_process = (self.signals_of_process & bit(next.signal)) != 0;
    self.signals &= ~bit(next.signal);
    self.signals_of_process &= ~bit(next.signal);
  } else if (take_expiry(self, &next.info)) {
    next.signal = next.info.si_signo;
    next.by_timer = true;
  }
  return next;
}

void send_to_self(const Task& self, const Waiting& waiting) {
  const long process = raw_syscall(SYS_getpid);
  if (waiting.by_timer) {
    raw_syscall(SYS_rt_tgsigqueueinfo, process, self.tid, waiting.signal, as_word(&waiting.info));
  } else if (waiting.by_process) {
    raw_syscall(SYS_kill, process, waiting.signal);
  } else {
    raw_syscall(SYS_tgkill, process, self.tid, waiting.signal);
  }
}

// In a thread that waits for a handler with another mask (sigsuspend), it runs with that.
void run_handler(Task& self, const Waiting& waiting) {
  const bool before = self.thread->in_runtime;
  const bool suspended = self.suspended;
  std::uint64_t kept = 0;
  self.thread->in_runtime = false;
  if (suspended) {
    self.suspended = false;
    raw_syscall(SYS_rt_sigprocmask, SIG_SETMASK, as_word(&self.suspended_mask), as_word(&kept),
                sizeof kept);
  }
  send_to_self(self, waiting);
  if (suspended) {
    raw_syscall(SYS_rt_sigprocmask, SIG_SETMASK, as_word(&kept), 0, sizeof kept);
    self.suspended = true;
  }
  self.thread->in_runtime = before;
}

}  // namespace

bool has_handler(int signal, struct sigaction* action) {
  *action = {};
  if (sigaction(signal, nullptr, action) != 0) return false;
  return action->sa_handler != SIG_DFL && action->sa_handler != SIG_IGN;
}

std::uint64_t blocked_by_self() {
  std::uint64_t mask = 0;
  raw_syscall(SYS_rt_sigprocmask, SIG_BLOCK, 0, as_word(&mask), sizeof mask);
  return mask;
}

bool take_signals(Task& self, Interruption interruption) {
  bool ends_wait = false;
  while (has_signals(self)) {
    const Waiting waiting = take_next(self);
    struct sigaction action {};
    const bool handled =
        has_handler(waiting.signal, &action) && !blocks_signal(self, waiting.signal);
    const Middle kept(self);
    if (handled) {
      const auto number = static_cast<std::uint64_t>(waiting.signal);
      runtime::show_acquired(runtime::KernelObject::signal, number, nullptr);
      Intent intent{EventKind::signal};
      intent.argument = number;
      self.pending.kind = intent.kind;
      self.pending.object = ObjectId{};
      self.ready = nullptr;
      // That a timer goes off changes nothing by itself, or no handler would ever run in vain.
      g_engine.commit(self, intent, 0, 0, !waiting.by_timer);
    }
    run_handler(self, waiting);
    if (!handled) continue;
    const bool restarts = (action.sa_flags & SA_RESTART) != 0;
    ends_wait = ends_wait || interruption == Interruption::always ||
                (interruption == Interruption::unless_restarted && !restarts);
  }
  if (ends_wait) ++g_engine.changes;  // it goes on
  return ends_wait;
}

// False: the kernel delivers it. That is so for what has no handler, and where the other thread is outside control.
static bool send(Task* target, int signal, bool to_process, Caller caller) {
  struct sigaction action {};
  if (target == nullptr || signal <= 0 || signal > kPlainSignals || !has_handler(signal, &action)) {
    return false;
  }
  want_release_points();  // the handler finds every lock as it is then
  Task& self = current();
  Intent intent{EventKind::signal_send, target, caller};
  intent.name = make_object(ObjectKind::thread, target->id.value);
  intent.argument = static_cast<std::uint64_t>(signal);
  g_engine.point(self, intent);
  g_engine.commit(self, intent, 0, 0, true);
  if (target == &self || target->state != TaskState::live) return false;
  if (to_process && blocks_signal(*target, signal)) return false;
  target->signals |= bit(signal);
  if (to_process) target->signals_of_process |= bit(signal);
  return true;
}

bool send_signal(pthread_t thread, int signal, Caller caller) {
  return send(find_task(thread), signal, false, caller);
}

// The first thread gets it, unless it has blocked it.
bool send_signal_to_process(int signal, Caller caller) {
  return send(&g_engine.tasks[0], signal, true, caller);
}

}  // namespace heddle::controlled
