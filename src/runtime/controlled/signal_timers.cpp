#include "runtime/controlled/signal_timers.h"

#include <errno.h>
#include <sys/syscall.h>

#include "base/fixed_vector.h"
#include "runtime/controlled/clock.h"
#include "runtime/controlled/engine.h"
#include "runtime/controlled/kernel_timer.h"
#include "runtime/controlled/mutex.h"
#include "runtime/controlled/operations.h"
#include "runtime/controlled/signals.h"
#include "runtime/controlled/threads.h"
#include "runtime/controlled/world.h"
#include "runtime/controlled/world_waits.h"
#include "runtime/platform/syscall.h"

namespace heddle::controlled {

namespace {

using runtime::as_word;
using runtime::raw_syscall;

constexpr std::size_t kMost = 256;
// Handlers that ran in a row while nothing else happened that anybody could notice, and for how long, before they count as waking nobody.
// A program that counts on a later one would take so long without us, too.
constexpr std::uint64_t kIdleHandlers = 1'000;
constexpr std::uint64_t kIdleNs = 3'600'000'000'000;
constexpr std::uint64_t kLongestTold = 0xffff'ffff;

FixedVector<SignalTimer, kMost> g_timers;
std::uint64_t g_earliest = kNever;  // of those that the engine holds
bool g_lent;
std::uint64_t g_lent_at;  // on the real clock
std::uint64_t g_idle_handlers;
std::uint64_t g_idle_since;    // virtual time
std::uint64_t g_changes_then;  // Engine::changes when a handler was last called for

std::uint64_t bit(int signal) { return std::uint64_t{1} << (signal - 1); }

SignalTimer* find(timer_t number) {
  for (SignalTimer& timer : g_timers) {
    if (!timer.is_alarm && timer.number == number) return &timer;
  }
  return nullptr;
}

SignalTimer& alarm_timer() {
  for (SignalTimer& timer : g_timers) {
    if (timer.is_alarm) return timer;
  }
  SignalTimer timer{};
  timer.is_alarm = true;
  timer.clock = CLOCK_MONOTONIC;
  timer.signal = SIGALRM;
  timer.due = kNever;
  g_timers.push_back(timer);  // adopt_signal_timer leaves room
  return g_timers.back();
}

void find_earliest() {
  g_earliest = kNever;
  for (const SignalTimer& timer : g_timers) {
    if (timer.holder == Holder::engine && timer.due < g_earliest) g_earliest = timer.due;
  }
  note_timer(g_earliest);
  std::uint64_t left = 0;
  if (g_earliest != kNever) {
    left = 1 + (g_earliest > g_engine.now ? (g_earliest - g_engine.now) / 1'000'000 : 0);
    if (left > kLongestTold) left = kLongestTold;
  }
  __atomic_store_n(&g_engine.control->timer_ms, static_cast<std::uint32_t>(left), __ATOMIC_RELAXED);
}

bool acts_on_program(int signal) {
  struct sigaction action {};
  return signal == 0 || has_handler(signal, &action) || (blocked_by_self() & bit(signal)) != 0;
}

// What was due has gone off, in the calling thread, too, when the program knows what is left.
void catch_up() {
  run_signal_timers();
  Task& self = current();
  if (has_signals(self)) take_signals(self, Interruption::never);
}

void set(SignalTimer& timer, std::uint64_t due, std::uint64_t interval) {
  if (timer.holder != Holder::engine) take_from_kernel(timer);
  timer.due = due;
  timer.interval = due == kNever ? 0 : interval;
  timer.length = due == kNever ? 0 : left_of(timer);
  if (due != kNever) {
    want_release_points();  // a handler finds every lock as it is then
    if (!acts_on_program(timer.signal)) give_to_kernel(timer, Holder::kernel);
  }
  find_earliest();
  catch_up();
}

bool is_valid(const itimerspec& time) {
  return valid(time.it_value) && valid(time.it_interval) && time.it_value.tv_sec >= 0 &&
         time.it_interval.tv_sec >= 0;
}

bool is_set(const itimerspec& time) {
  return time.it_value.tv_sec != 0 || time.it_value.tv_nsec != 0;
}

// Who gets the signal. As in the kernel the first thread is the first choice.
struct Receiver {
  Task* task;   // null: nobody is there, or all have blocked it
  bool blocks;  // so that it stays queued
};

Receiver find_receiver(const SignalTimer& timer) {
  if (timer.thread != 0) {
    Task* const task = find_thread(timer.thread);
    return {task, task != nullptr && blocks_signal(*task, timer.signal)};
  }
  Task* waits = nullptr;
  for (std::uint32_t i = g_engine.live_from; i < g_engine.task_count; ++i) {
    Task& task = g_engine.tasks[i];
    if (!is_there(task)) continue;
    if (!blocks_signal(task, timer.signal)) return {&task, false};
    if (waits == nullptr && waits_for_signal(task, timer.signal)) waits = &task;
  }
  return {waits, true};
}

// Its last signal is still in the kernel, and nobody has taken it.
bool is_unread(SignalTimer& timer) {
  if (!timer.queued) return false;
  std::uint64_t pending = 0;
  if (timer.queued_at == nullptr) {
    raw_syscall(SYS_rt_sigpending, as_word(&pending), sizeof pending);
  } else if (is_there(*timer.queued_at)) {
    pending = pending_signals(*timer.queued_at);
  }
  timer.queued = (pending & bit(timer.signal)) != 0;
  return timer.queued;
}

void note_handler_called() {
  if (g_engine.changes != g_changes_then) {
    g_idle_handlers = 0;
    g_idle_since = g_engine.now;
  }
  ++g_idle_handlers;
  ++g_engine.changes;  // it is news to who polls
  g_changes_then = g_engine.changes;
}

bool handlers_wake_nobody() {
  return g_idle_handlers >= kIdleHandlers && g_engine.now - g_idle_since >= kIdleNs &&
         g_engine.changes == g_changes_then;
}

void go_off(SignalTimer& timer, std::uint64_t times) {
  if (timer.signal == 0 && timer.function == nullptr) return;
  if (timer.call_due || timer.receiver != nullptr || is_unread(timer)) {
    timer.overrun += static_cast<int>(times);
    return;
  }
  timer.overrun = static_cast<int>(times - 1);
  if (timer.function != nullptr) {
    timer.call_due = true;
    note_handler_called();
    return;
  }
  const Receiver to = find_receiver(timer);
  struct sigaction action {};
  if (timer.thread != 0 && to.task == nullptr) {
    timer.due = kNever;  // it has ended
  } else if (!to.blocks && !has_handler(timer.signal, &action)) {
    // The handler was for once (SA_RESETHAND), or was taken away behind our back. The signal may end the program, so that it comes in
    // real time, after as long as the timer was set for.
    timer.due = g_engine.now + (timer.interval != 0 ? timer.interval : timer.length);
    give_to_kernel(timer, Holder::kernel);
  } else if (to.task != nullptr && to.task->state == TaskState::live) {
    timer.receiver = to.task;
    ++to.task->expiries;
    note_handler_called();
  } else {
    timer.queued = to.blocks;
    timer.queued_at = to.task;
    send_signal_of(timer, to.task);
  }
}

void forget(SignalTimer& timer) {
  if (timer.receiver != nullptr) --timer.receiver->expiries;
  timer.receiver = nullptr;
  timer.call_due = false;
}

}  // namespace

bool takes_signal_timer(clockid_t clock, const sigevent* event) {
  if (!is_virtual(clock) || g_timers.size() + 1 >= kMost) return false;
  return event == nullptr || event->sigev_notify != SIGEV_THREAD_ID ||
         find_thread(event->_sigev_un._tid) != nullptr;
}

void adopt_signal_timer(timer_t number, clockid_t clock, const sigevent* event) {
  SignalTimer timer{};
  timer.number = number;
  timer.clock = clock;
  timer.due = kNever;
  if (event == nullptr) {
    timer.signal = SIGALRM;
    timer.value.sival_ptr = number;
  } else {
    timer.value = event->sigev_value;
    switch (event->sigev_notify) {
      case SIGEV_THREAD:
        timer.function = event->sigev_notify_function;
        break;
      case SIGEV_THREAD_ID:
        timer.thread = event->_sigev_un._tid;
        [[fallthrough]];
      case SIGEV_SIGNAL:
        timer.signal = event->sigev_signo;
        break;
      default:
        break;
    }
  }
  g_timers.push_back(timer);
}

void forget_signal_timer(timer_t number) {
  for (std::size_t i = 0; i < g_timers.size(); ++i) {
    if (g_timers[i].is_alarm || g_timers[i].number != number) continue;
    forget(g_timers[i]);
    g_timers.erase_at(i);
    find_earliest();
    return;
  }
}

int set_signal_timer(timer_t number, int flags, const itimerspec& time, itimerspec* old) {
  catch_up();
  SignalTimer* const timer = find(number);
  if (timer == nullptr) return -1;
  if (!is_valid(time)) return EINVAL;
  if (old != nullptr) *old = state_of(*timer);
  forget(*timer);  // a signal that is on its way is from before
  const bool absolute = (flags & TIMER_ABSTIME) != 0;
  const std::uint64_t due = !is_set(time) ? kNever
                            : absolute    ? virtual_deadline(timer->clock, time.it_value)
                                          : virtual_after(time.it_value);
  set(*timer, due, as_nanoseconds(time.it_interval));
  return 0;
}

int ask_signal_timer(timer_t number, itimerspec* time) {
  catch_up();
  const SignalTimer* const timer = find(number);
  if (timer == nullptr) return -1;
  *time = state_of(*timer);
  return 0;
}

int signal_timer_overrun(timer_t number) {
  const SignalTimer* const timer = find(number);
  return timer == nullptr || timer->holder != Holder::engine ? -1 : timer->overrun;
}

int signal_of_timer(timer_t number) {
  const SignalTimer* const timer = find(number);
  if (timer == nullptr) return 0;
  return timer->function != nullptr ? __SIGRTMIN : timer->signal;
}

int set_alarm(const itimerspec& time, itimerspec* old) {
  if (!is_valid(time)) return EINVAL;
  catch_up();
  SignalTimer& timer = alarm_timer();
  if (old != nullptr) *old = state_of(timer);
  set(timer, is_set(time) ? virtual_after(time.it_value) : kNever,
      as_nanoseconds(time.it_interval));
  return 0;
}

itimerspec ask_alarm() {
  catch_up();
  return state_of(alarm_timer());
}

void run_signal_timers() {
  const std::uint64_t now = g_engine.now;
  if (g_earliest > now) return note_timer(g_earliest);
  for (SignalTimer& timer : g_timers) {
    if (timer.holder != Holder::engine || timer.due > now) continue;
    const std::uint64_t times = timer.interval == 0 ? 1 : (now - timer.due) / timer.interval + 1;
    const std::uint64_t next = timer.due + times * timer.interval;
    timer.due = next > timer.due ? next : kNever;
    go_off(timer, times);
  }
  find_earliest();
}

std::uint64_t next_signal_timer() {
  std::uint64_t next = kNever;
  if (handlers_wake_nobody()) return next;
  for (SignalTimer& timer : g_timers) {
    const bool acts = timer.signal != 0 || timer.function != nullptr;
    if (timer.holder != Holder::engine || !acts || timer.due >= next) continue;
    if (!is_unread(timer)) next = timer.due;
  }
  return next;
}

bool take_expiry(Task& self, siginfo_t* info) {
  for (SignalTimer& timer : g_timers) {
    if (timer.receiver != &self) continue;
    forget(timer);
    timer.queued = blocks_signal(self, timer.signal);
    timer.queued_at = &self;
    *info = info_of(timer);
    return true;
  }
  return false;
}

bool call_is_due() {
  for (const SignalTimer& timer : g_timers) {
    if (timer.call_due) return true;
  }
  return false;
}

bool take_call(TimerCall* call) {
  for (SignalTimer& timer : g_timers) {
    if (!timer.call_due) continue;
    timer.call_due = false;
    *call = {timer.function, timer.value};
    return true;
  }
  return false;
}

void pass_expiries_on(const Task& ended) {
  for (SignalTimer& timer : g_timers) {
    if (timer.receiver != &ended) continue;
    forget(timer);
    go_off(timer, static_cast<std::uint64_t>(timer.overrun) + 1);
  }
}

void take_timers_over(std::uint64_t signals) {
  for (SignalTimer& timer : g_timers) {
    const bool meant = timer.signal != 0 && (signals & bit(timer.signal)) != 0;
    if (meant && timer.holder == Holder::kernel) take_from_kernel(timer);
  }
  find_earliest();
}

void note_action(int signal) {
  for (SignalTimer& timer : g_timers) {
    if (timer.signal != signal || timer.due == kNever || timer.holder == Holder::lent) continue;
    const bool ours = acts_on_program(signal);
    if (ours && timer.holder == Holder::kernel) take_from_kernel(timer);
    if (!ours && timer.holder == Holder::engine) give_to_kernel(timer, Holder::kernel);
  }
  find_earliest();
}

// Where nobody is left who would look at the clock, because all threads are in calls that we do not model, what the timers have left
// passes in real time, until somebody has control again.
void lend_timers_to_kernel() {
  for (SignalTimer& timer : g_timers) {
    if (timer.holder != Holder::engine || timer.due == kNever || timer.signal == 0) continue;
    give_to_kernel(timer, Holder::lent);
    g_lent = true;
  }
  if (g_lent) g_lent_at = real_now();
}

void take_timers_back() {
  if (!g_lent) return;
  g_lent = false;
  const std::uint64_t passed = real_now() - g_lent_at;
  for (SignalTimer& timer : g_timers) {
    if (timer.holder != Holder::lent) continue;
    const std::uint64_t left = left_in_kernel(timer);
    // Where it has not gone off, no time has passed for it: how long the call took is chance.
    if (left == 0) {
      timer.due = kNever;
    } else if (passed >= left_of(timer)) {
      timer.due = g_engine.now + left;
    }
    take_from_kernel(timer);
  }
  find_earliest();
}

bool has_signal_timers() {
  for (const SignalTimer& timer : g_timers) {
    if (timer.due != kNever) return true;
  }
  return false;
}

void postpone_signal_timers(std::uint64_t nanoseconds) {
  for (SignalTimer& timer : g_timers) {
    if (timer.holder == Holder::engine && timer.due != kNever) timer.due += nanoseconds;
  }
  find_earliest();
}

void forget_signal_timers() {
  g_timers.clear();
  g_earliest = kNever;
  g_lent = false;
}

}  // namespace heddle::controlled
