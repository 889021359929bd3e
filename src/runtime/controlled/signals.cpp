#include "runtime/controlled/signals.h"

#include <signal.h>
#include <sys/syscall.h>

#include "runtime/blocking.h"
#include "runtime/controlled/mutex.h"
#include "runtime/controlled/operations.h"
#include "runtime/controlled/signal_queue.h"
#include "runtime/controlled/signal_timers.h"
#include "runtime/controlled/threads.h"
#include "runtime/controlled/world_waits.h"
#include "runtime/pinned_ids.h"
#include "runtime/platform/syscall.h"

namespace heddle::controlled {

using runtime::as_word;
using runtime::raw_syscall;

namespace {

// Of these one that waits already stands for all; those behind them are real-time ones.
constexpr int kPlainSignals = 31;
constexpr int kMostSignals = _NSIG - 1;

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

// One that waits for it, as the kernel would tell of it.
struct Waiting {
  siginfo_t info;
  bool by_process;
  bool by_timer;
  bool queued;
};

Waiting take_next(Task& self) {
  Waiting next{};
  const int queued = next_queued_signal(self);
  const int plain = self.signals != 0 ? __builtin_ctz(self.signals) + 1 : 0;
  if (plain != 0 && (queued == 0 || plain <= queued)) {
    next.by_process = (self.signals_of_process & bit(plain)) != 0;
    next.info = signal_info(plain, next.by_process ? SI_USER : SI_TKILL);
    self.signals &= ~bit(plain);
    self.signals_of_process &= ~bit(plain);
  } else if (queued != 0) {
    const QueuedSignal sent = take_queued_signal(self, queued);
    next.info = sent.info;
    next.by_process = sent.of_process;
    next.queued = true;
  } else if (take_expiry(self, &next.info)) {
    next.by_timer = true;
  }
  return next;
}

// The kernel lets nobody but the receiver of a signal say that kill() has sent it.
void send_to_process(const siginfo_t& info) {
  const long process = raw_syscall(SYS_getpid);
  if (info.si_code == SI_USER ||
      raw_syscall(SYS_rt_sigqueueinfo, process, info.si_signo, as_word(&info)) != 0) {
    raw_syscall(SYS_kill, process, info.si_signo);
  }
}

void send_to_self(Task& self, const siginfo_t& info) {
  const long process = raw_syscall(SYS_getpid);
  if (raw_syscall(SYS_rt_tgsigqueueinfo, process, self.tid, info.si_signo, as_word(&info)) != 0)
    raw_syscall(SYS_tgkill, process, self.tid, info.si_signo);
}

// Sent to the process it is everybody's, while nobody takes it.
void send_to_kernel(Task& self, const Waiting& waiting) {
  if (waiting.by_process && blocks_signal(self, waiting.info.si_signo)) {
    send_to_process(waiting.info);
  } else {
    send_to_self(self, waiting.info);
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

bool waits_already(const Task& target, int signal, bool of_process) {
  const bool is_set = (target.signals & bit(signal)) != 0;
  const bool is_of_process = (target.signals_of_process & bit(signal)) != 0;
  return (is_set && is_of_process == of_process) || is_queued(target, signal, of_process);
}

// False if there is no room for it.
bool give(Task& target, const siginfo_t& info, bool of_process) {
  const int signal = info.si_signo;
  if (signal > kPlainSignals) return queue_signal({&target, of_process, info});
  if (waits_already(target, signal, of_process)) return true;
  if (info.si_code != (of_process ? SI_USER : SI_TKILL)) {
    return queue_signal({&target, of_process, info});
  }
  target.signals |= bit(signal);
  if (of_process) target.signals_of_process |= bit(signal);
  return true;
}

// The handler knows what was done before it was sent. Shown as the program's doing: what the runtime does orders nobody.
void show_taken(Task& self, int signal) {
  const bool before = self.thread->in_runtime;
  self.thread->in_runtime = false;
  runtime::show_acquired(runtime::KernelObject::signal, static_cast<std::uint64_t>(signal),
                         nullptr);
  self.thread->in_runtime = before;
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
  send_to_kernel(self, waiting);
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
    const int signal = waiting.info.si_signo;
    struct sigaction action {};
    const bool handled = has_handler(signal, &action) && !blocks_signal(self, signal);
    Task* const other = waiting.by_process && !handled ? receiver_of(signal) : nullptr;
    if (other != nullptr && other != &self) {  // it has blocked it since
      give(*other, waiting.info, true);
      continue;
    }
    // In a handler of that signal the next one waits in the kernel, which runs its handler without asking us.
    if (handled || waiting.queued) show_taken(self, signal);
    if (handled) {
      Intent intent{EventKind::signal};
      intent.argument = static_cast<std::uint64_t>(signal);
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

void pass_signals_on(Task& ended) {
  while (ended.signals != 0 || ended.queued_signals != 0) {
    const Waiting waiting = take_next(ended);
    if (!waiting.by_process) continue;
    Task* const other = receiver_of(waiting.info.si_signo);
    if (other != nullptr && give(*other, waiting.info, true)) continue;
    // The kernel does not know yet that the thread has ended.
    const std::uint64_t blocked = std::uint64_t{1} << (waiting.info.si_signo - 1);
    raw_syscall(SYS_rt_sigprocmask, SIG_BLOCK, as_word(&blocked), 0, sizeof blocked);
    send_to_process(waiting.info);
  }
  if (ended.expiries != 0) pass_expiries_on(ended);
}

siginfo_t signal_info(int signal, int code) {
  siginfo_t info{};
  info.si_signo = signal;
  info.si_code = code;
  info.si_pid = runtime::told_process(runtime::own_process());
  info.si_uid = static_cast<uid_t>(raw_syscall(SYS_getuid));
  return info;
}

// What has no handler the kernel delivers, and what goes to a thread that is outside control.
static bool is_ours(int signal) {
  struct sigaction action {};
  const bool of_libc = signal == __SIGRTMIN || signal == __SIGRTMIN + 1;  // for threads
  return signal > 0 && signal <= kMostSignals && !of_libc && has_handler(signal, &action);
}

static void come_to_send(Task& self, Task& target, int signal, Caller caller) {
  want_release_points();  // the handler finds every lock as it is then
  Intent intent{EventKind::signal_send, &target, caller};
  intent.name = make_object(ObjectKind::thread, target.id.value);
  intent.argument = static_cast<std::uint64_t>(signal);
  g_engine.point(self, intent);
  g_engine.commit(self, intent, 0, 0, true);
}

static bool send_to(Task* target, const siginfo_t& info, Caller caller) {
  if (target == nullptr || !is_ours(info.si_signo)) return false;
  Task& self = current();
  come_to_send(self, *target, info.si_signo, caller);
  if (target == &self || target->state != TaskState::live) return false;
  return give(*target, info, false);
}

bool send_signal(pthread_t thread, const siginfo_t& info, Caller caller) {
  return send_to(find_task(thread), info, caller);
}

bool send_signal_to_thread(pid_t thread, const siginfo_t& info, Caller caller) {
  return send_to(find_thread(thread), info, caller);
}

bool send_signal_to_process(const siginfo_t& info, Caller caller) {
  const int signal = info.si_signo;
  if (!is_ours(signal)) return false;
  Task& self = current();
  Task* target = receiver_of(signal);
  come_to_send(self, target != nullptr ? *target : g_engine.tasks[0], signal, caller);
  target = holder_of_queued(signal);                    // what was sent before comes before this
  if (target == nullptr) target = receiver_of(signal);  // they may have gone on
  if (target == nullptr) return false;
  if (target != &self) return give(*target, info, true);
  send_to_self(self, info);
  return true;
}

}  // namespace heddle::controlled
