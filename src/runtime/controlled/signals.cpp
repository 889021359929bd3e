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

// What a handler may change of a thread that is in the middle of an operation; it begins as one that is in none, and need not come
// back.
struct Middle {
  explicit Middle(Task& task)
      : task(task),
        queued(task.queued),
        notified(task.notified),
        cancellation_point(task.cancellation_point),
        takes_mutex_first(task.takes_mutex_first),
        world_wait(task.world_wait) {
    // Of a futex the kernel knows only who waits at that moment.
    is_findable = task.ready != nullptr && !task.may_miss_wake_ups && !task.suspended_waits.full();
    if (is_findable) {
      task.suspended_waits.push_back({this, task.ready, task.wait_object, queued, notified});
    }
    task.notified = false;
    task.cancellation_point = false;
    task.takes_mutex_first = false;
    end_world_wait(task);
  }
  ~Middle() {
    if (world_wait != nullptr) begin_world_wait(task, *world_wait);
    if (is_findable && !task.suspended_waits.empty()) {
      notified = task.suspended_waits.back().notified;
      task.suspended_waits.resize_down(task.suspended_waits.size() - 1);
    }
    task.queued = queued;
    task.notified = notified;
    task.cancellation_point = cancellation_point;
    task.takes_mutex_first = takes_mutex_first;
  }
  Middle(const Middle&) = delete;
  Middle& operator=(const Middle&) = delete;

  Task& task;
  std::uint64_t queued;
  bool notified;
  bool cancellation_point;
  bool takes_mutex_first;
  bool is_findable;
  std::uint32_t* world_wait;
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

// As kill() does it. The kernel prefers the first thread, but of several others it would take any.
void send_as_process(Task& self, int signal) {
  const long process = raw_syscall(SYS_getpid);
  if (self.id.value == 0 || blocks_signal(self, signal)) {
    raw_syscall(SYS_kill, process, signal);
    return;
  }
  siginfo_t info{};
  info.si_signo = signal;
  info.si_code = SI_USER;
  info.si_pid = static_cast<pid_t>(process);
  info.si_uid = static_cast<uid_t>(raw_syscall(SYS_getuid));
  raw_syscall(SYS_rt_tgsigqueueinfo, process, self.tid, signal, as_word(&info));
}

void send_to_self(Task& self, const Waiting& waiting) {
  const long process = raw_syscall(SYS_getpid);
  if (waiting.by_timer) {
    raw_syscall(SYS_rt_tgsigqueueinfo, process, self.tid, waiting.signal, as_word(&waiting.info));
  } else if (waiting.by_process) {
    send_as_process(self, waiting.signal);
  } else {
    raw_syscall(SYS_tgkill, process, self.tid, waiting.signal);
  }
}

// Who gets what is sent to the process: the first thread that has begun and has not blocked it. Null: nobody under control.
Task* receiver_of(int signal) {
  Task& first = g_engine.tasks[0];
  if (first.state == TaskState::outside && !blocks_signal(first, signal)) return nullptr;
  for (std::uint32_t i = g_engine.live_from; i < g_engine.task_count; ++i) {
    Task& task = g_engine.tasks[i];
    const bool began = i == 0 || task.pending.kind != EventKind::thread_start;
    if (task.state == TaskState::live && began && !blocks_signal(task, signal)) return &task;
  }
  return nullptr;
}

void give(Task& target, int signal, bool of_process) {
  target.signals |= bit(signal);
  if (of_process) target.signals_of_process |= bit(signal);
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
  // Handlers that left by siglongjmp have left these waits as well.
  while (!self.suspended_waits.empty() && self.suspended_waits.back().frame < &ends_wait) {
    self.suspended_waits.resize_down(self.suspended_waits.size() - 1);
  }
  const Middle kept(self);
  while (has_signals(self)) {
    const Waiting waiting = take_next(self);
    struct sigaction action {};
    const bool handled =
        has_handler(waiting.signal, &action) && !blocks_signal(self, waiting.signal);
    Task* const other = waiting.by_process && !handled ? receiver_of(waiting.signal) : nullptr;
    if (other != nullptr && other != &self) {  // it has blocked it since
      give(*other, waiting.signal, true);
      continue;
    }
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

// What has no handler the kernel delivers, and what goes to a thread that is outside control.
static bool is_ours(int signal) {
  struct sigaction action {};
  return signal > 0 && signal <= kPlainSignals && has_handler(signal, &action);
}

static void come_to_send(Task& self, Task& target, int signal, Caller caller) {
  want_release_points();  // the handler finds every lock as it is then
  Intent intent{EventKind::signal_send, &target, caller};
  intent.name = make_object(ObjectKind::thread, target.id.value);
  intent.argument = static_cast<std::uint64_t>(signal);
  g_engine.point(self, intent);
  g_engine.commit(self, intent, 0, 0, true);
}

bool send_signal(pthread_t thread, int signal, Caller caller) {
  Task* const target = find_task(thread);
  if (target == nullptr || !is_ours(signal)) return false;
  Task& self = current();
  come_to_send(self, *target, signal, caller);
  if (target == &self || target->state != TaskState::live) return false;
  give(*target, signal, false);
  return true;
}

bool send_signal_to_process(int signal, Caller caller) {
  if (!is_ours(signal)) return false;
  Task& self = current();
  Task* target = receiver_of(signal);
  come_to_send(self, target != nullptr ? *target : g_engine.tasks[0], signal, caller);
  target = receiver_of(signal);  // they may have gone on
  if (target == nullptr) return false;
  if (target == &self) {
    send_as_process(self, signal);
  } else {
    give(*target, signal, true);
  }
  return true;
}

}  // namespace heddle::controlled
