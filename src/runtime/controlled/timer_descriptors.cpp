#include "runtime/controlled/timer_descriptors.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/kcmp.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>

#include "base/fixed_vector.h"
#include "runtime/blocking.h"
#include "runtime/controlled/clock.h"
#include "runtime/controlled/engine.h"
#include "runtime/platform/syscall.h"

namespace heddle::controlled {

namespace {

using runtime::raw_syscall;

constexpr std::size_t kMost = 64;

struct Timer {
  int descriptor;  // the program's
  int own;  // the same event counter: the program may close its own, and open another with that number
  clockid_t clock;
  int flags;
  std::uint64_t due;       // kNever: not set
  std::uint64_t interval;  // 0: once
};
FixedVector<Timer, kMost> g_timers;
std::uint64_t g_earliest = kNever;

// The program's number still stands for it. Where the kernel does not tell, it is taken to.
bool is_open(const Timer& timer) {
  const long self = raw_syscall(SYS_getpid);
  return raw_syscall(SYS_kcmp, self, self, KCMP_FILE, timer.descriptor, timer.own) <= 0;
}

Timer* find(int descriptor) {
  for (Timer& timer : g_timers) {
    if (timer.descriptor == descriptor) return is_open(timer) ? &timer : nullptr;
  }
  return nullptr;
}

void find_earliest() {
  g_earliest = kNever;
  for (const Timer& timer : g_timers) {
    if (timer.due < g_earliest) g_earliest = timer.due;
  }
  note_timer(g_earliest);
}

bool is_unread(const Timer& timer) {
  pollfd own{timer.own, POLLIN, 0};
  return raw_syscall(SYS_poll, reinterpret_cast<long>(&own), 1, 0) == 1;
}

itimerspec state_of(const Timer& timer) {
  itimerspec state{};
  state.it_interval = as_timespec(timer.interval);
  if (timer.due != kNever) {
    // Zero would say that it is not set.
    state.it_value = as_timespec(timer.due > g_engine.now ? timer.due - g_engine.now : 1);
  }
  return state;
}

void forget(int descriptor) {
  for (std::size_t i = 0; i < g_timers.size(); ++i) {
    if (g_timers[i].descriptor != descriptor) continue;
    raw_syscall(SYS_close, g_timers[i].own);
    g_timers.erase_at(i);
    return;
  }
}

}  // namespace

bool adopt_timer_descriptor(int descriptor, clockid_t clock, int flags) {
  forget(descriptor);  // of an earlier one with that number
  if (g_timers.full()) return false;
  const long counter = raw_syscall(SYS_eventfd2, 0, flags & (EFD_NONBLOCK | EFD_CLOEXEC));
  if (counter < 0) return false;
  const long own = raw_syscall(SYS_fcntl, counter, F_DUPFD_CLOEXEC, runtime::kFirstOwnDescriptor);
  const bool placed =
      own >= 0 && raw_syscall(SYS_dup3, counter, descriptor, flags & O_CLOEXEC) >= 0;
  raw_syscall(SYS_close, counter);
  if (!placed) {
    if (own >= 0) raw_syscall(SYS_close, own);
    return false;
  }
  g_timers.push_back({descriptor, static_cast<int>(own), clock, flags, kNever, 0});
  return true;
}

bool is_timer_descriptor(int descriptor) { return find(descriptor) != nullptr; }

int set_timer_descriptor(int descriptor, int flags, const itimerspec& time, itimerspec* old) {
  Timer* const timer = find(descriptor);
  if (timer == nullptr) return -1;
  constexpr int kKnownFlags = TFD_TIMER_ABSTIME | TFD_TIMER_CANCEL_ON_SET;
  if ((flags & ~kKnownFlags) != 0 || !valid(time.it_value) || !valid(time.it_interval) ||
      time.it_value.tv_sec < 0 || time.it_interval.tv_sec < 0) {
    return EINVAL;
  }
  run_timer_descriptors();
  if (old != nullptr) *old = state_of(*timer);
  std::uint64_t ticks = 0;
  if (is_unread(*timer)) {
    raw_syscall(SYS_read, timer->own, reinterpret_cast<long>(&ticks), sizeof ticks);
  }
  const bool set = time.it_value.tv_sec != 0 || time.it_value.tv_nsec != 0;
  const bool absolute = (flags & TFD_TIMER_ABSTIME) != 0;
  timer->interval = as_nanoseconds(time.it_interval);
  timer->due = !set       ? kNever
               : absolute ? virtual_deadline(timer->clock, time.it_value)
                          : virtual_after(time.it_value);
  find_earliest();
  run_timer_descriptors();
  return 0;
}

int ask_timer_descriptor(int descriptor, itimerspec* time) {
  const Timer* const timer = find(descriptor);
  if (timer == nullptr) return -1;
  run_timer_descriptors();
  *time = state_of(*timer);
  return 0;
}

void run_timer_descriptors() {
  const std::uint64_t now = g_engine.now;
  if (g_earliest > now) return note_timer(g_earliest);
  for (Timer& timer : g_timers) {
    if (timer.due > now) continue;
    const std::uint64_t ticks = timer.interval == 0 ? 1 : (now - timer.due) / timer.interval + 1;
    timer.due = timer.interval == 0 ? kNever : timer.due + ticks * timer.interval;
    raw_syscall(SYS_write, timer.own, reinterpret_cast<long>(&ticks), sizeof ticks);
  }
  find_earliest();
}

std::uint64_t next_timer_descriptor() {
  std::uint64_t next = kNever;
  for (const Timer& timer : g_timers) {
    if (timer.due < next && !is_unread(timer)) next = timer.due;
  }
  return next;
}

void release_timer_descriptors() {
  for (const Timer& timer : g_timers) {
    const itimerspec state = state_of(timer);
    const bool open = is_open(timer);
    raw_syscall(SYS_close, timer.own);
    if (!open) continue;
    const long real = raw_syscall(SYS_timerfd_create, timer.clock, timer.flags);
    if (real < 0) continue;
    raw_syscall(SYS_timerfd_settime, real, 0, reinterpret_cast<long>(&state), 0);
    raw_syscall(SYS_dup3, real, timer.descriptor, timer.flags & O_CLOEXEC);
    raw_syscall(SYS_close, real);
  }
  g_timers.clear();
  g_earliest = kNever;
}

}  // namespace heddle::controlled
