#include "runtime/controlled/signals.h"

#include <signal.h>
#include <sys/syscall.h>

#include "runtime/blocking.h"
#include "runtime/controlled/mutex.h"
#include "runtime/controlled/operations.h"
#include "runtime/controlled/threads.h"
#include "runtime/controlled/world_waits.h"
#include "runtime/platform/syscall.h"

namespace heddle::controlled {

using runtime::raw_syscall;

namespace {

// Those behind them are queued with what was sent along: left to the kernel.
constexpr int kPlainSignals = 31;

std::uint32_t bit(int signal) { return std::uint32_t{1} << (signal - 1); }

bool has_handler(int signal, struct sigaction* action) {
  *action = {};
  if (sigaction(signal, nullptr, action) != 0) return false;
  return action->sa_handler != SIG_DFL && action->sa_handler != SIG_IGN;
}

std::uint64_t blocked_by_self() {
  std::uint64_t mask = 0;
  raw_syscall(SYS_rt_sigprocmask, SIG_BLOCK, 0, reinterpret_cast<long>(&mask), sizeof mask);
  return mask;
}

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

void run_handler(Task& self, int signal, bool sent_to_process) {
  const long process = raw_syscall(SYS_getpid);
  const bool before = self.thread->in_runtime;
  self.thread->in_runtime = false;
  if (sent_to_process) {
    raw_syscall(SYS_kill, process, signal);
  } else {
    raw_syscall(SYS_tgkill, process, self.tid, signal);
  }
  self.thread->in_runtime = before;
}

}  // namespace

bool take_signals(Task& self, Interruption interruption) {
  bool ends_wait = false;
  while (self.signals != 0) {
    const int signal = __builtin_ctz(self.signals) + 1;
    const bool sent_to_process = (self.signals_of_process & bit(signal)) != 0;
    self.signals &= ~bit(signal);
    self.signals_of_process &= ~bit(signal);
    struct sigaction action {};
    const bool handled = has_handler(signal, &action) && (blocked_by_self() & bit(signal)) == 0;
    const Middle kept(self);
    if (handled) {
      runtime::show_acquired(runtime::KernelObject::signal, static_cast<std::uint64_t>(signal),
                             nullptr);
      Intent intent{EventKind::signal};
      intent.argument = static_cast<std::uint64_t>(signal);
      self.pending.kind = intent.kind;
      self.pending.object = ObjectId{};
      self.ready = nullptr;
      g_engine.commit(self, intent, 0, 0, true);
    }
    run_handler(self, signal, sent_to_process);
    if (!handled) continue;
    const bool restarts = (action.sa_flags & SA_RESTART) != 0;
    ends_wait = ends_wait || interruption == Interruption::always ||
                (interruption == Interruption::unless_restarted && !restarts);
  }
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
