#include "runtime/controlled/forked_child.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>

#include "runtime/controlled/engine.h"
#include "runtime/controlled/other_processes.h"
#include "runtime/controlled/passing.h"
#include "runtime/identity.h"
#include "runtime/mode.h"
#include "runtime/platform/syscall.h"
#include "runtime/platform/text.h"

namespace heddle::controlled {

using runtime::as_word;
using runtime::raw_syscall;

bool g_in_forked_child = false;

namespace {

// glibc's layouts; see mutex.cpp and rwlock.cpp. A mutex that is robust, or that hands on or raises priorities, has the
// kernel's help; one for several processes may be unlocked by its holder.
constexpr int kHeldMask = 0x3fffffff;
constexpr int kNotPlain = 16 | 32 | 64 | 128;
constexpr unsigned kWriterHolds = 2;
constexpr unsigned kReaderShift = 3;

// The parent counts as at rest once it was seen asleep so often with nothing done in between. Far below the time for which a
// thread that waits for a child keeps control (ChildPatience), so that it is still there when the run ends.
constexpr int kQuietLooks = 20;
constexpr timespec kBetweenLooks{0, 1'000'000};

const Task* g_forking;
long g_child;

const Task* other_task(int tid) {
  for (std::uint32_t i = 0; i < g_engine.task_count; ++i) {
    const Task& task = g_engine.tasks[i];
    if (task.tid == tid && task.state != TaskState::ended)
      return &task == g_forking ? nullptr : &task;
  }
  return nullptr;
}

SiteId taken_at(const Task& holder, const void* lock) {
  for (const HeldLock& held : holder.held) {
    if (held.lock == lock) return held.site;
  }
  return {};
}

// Only who held it may unlock it, but whoever else there is may end the child.
bool is_alone() {
  struct stat status {};
  constexpr unsigned kWithOneThread = 3;  // the directory, its entry and one below
  if (raw_syscall(SYS_stat, as_word("/proc/self/task"), as_word(&status)) != 0) return false;
  itimerval alarm{};
  raw_syscall(SYS_getitimer, ITIMER_REAL, as_word(&alarm));
  return status.st_nlink == kWithOneThread && alarm.it_value.tv_sec == 0 &&
         alarm.it_value.tv_usec == 0;
}

bool is_asleep(long process, long thread) {
  const ProcessState state = state_of(process, thread);
  return state == ProcessState::asleep || state == ProcessState::gone;
}

bool everybody_sleeps(long process, long running) {
  if (running != 0 && !is_asleep(process, running)) return false;
  for (std::uint32_t i = g_engine.live_from; i < g_engine.task_count; ++i) {
    const Task& task = g_engine.tasks[i];
    const bool alive = task.state == TaskState::live || task.state == TaskState::outside;
    if (alive && task.tid != 0 && !is_asleep(process, task.tid)) return false;
  }
  return true;
}

// What the parent does until then must not depend on how fast the child was. False if it ended meanwhile.
bool await_rest(const BlockedThread& blocked) {
  ControlBlock& control = *g_engine.control;
  const long process = process_in_control();
  std::uint64_t progress = 0;
  std::uint32_t running = 0;
  for (int quiet = 0; quiet < kQuietLooks;) {
    if (process <= 0 || raw_syscall(SYS_kill, process, 0) != 0) return false;
    if (control.outcome.verdict != Verdict::none) return false;
    const std::uint64_t steps = __atomic_load_n(&control.progress, __ATOMIC_ACQUIRE);
    const std::uint32_t thread = __atomic_load_n(&control.running_tid, __ATOMIC_ACQUIRE);
    // One that asks again and again whether the child has ended never rests. It will say this when it gives up.
    if (steps > control.plan.step_limit) control.outcome.blocked[0] = blocked;
    if (steps != progress || thread != running) {
      quiet = 0;
      progress = steps;
      running = thread;
    } else if (everybody_sleeps(process, running)) {
      ++quiet;
    }
    raw_syscall(SYS_nanosleep, as_word(&kBetweenLooks), 0);
  }
  return true;
}

void judge(const Task& holder, const void* lock, EventKind kind, void* caller) {
  ControlBlock& control = *g_engine.control;
  const bool debugged = (control.plan.flags & (kPlanStopAtFailure | kPlanNoWatchdog)) != 0;
  if (debugged || raw_syscall(SYS_getpid) != g_child || !is_alone()) return;
  BlockedThread blocked{};
  blocked.thread = g_forking->id;
  blocked.holder = holder.id;
  blocked.waiting_in = kind;
  blocked.in_forked_child = 1;
  runtime::g_control = &control;  // a block of the heap is told there
  blocked.object = runtime::object_of(lock);
  blocked.site = runtime::site_of(caller);
  blocked.calls = runtime::calls_of(runtime::watched_calls());
  runtime::g_control = nullptr;
  blocked.holder_site = taken_at(holder, lock);
  blocked.signal_site = g_forking->pending.site;
  if (!await_rest(blocked)) return;
  RunOutcome& outcome = control.outcome;
  outcome.blocked[0] = blocked;
  outcome.blocked_count = 1;
  outcome.steps = control.progress;
  outcome.virtual_ns = g_engine.now;
  outcome.verdict = Verdict::deadlock;
  // The group is the run's, and mostly we are in it.
  raw_syscall(SYS_kill, -static_cast<long>(control.run_process), SIGKILL);
  runtime::raw_exit(0);
}

}  // namespace

void note_fork(const Task& self) { g_forking = &self; }
void forget_fork() { g_forking = nullptr; }

void begin_forked_child() {
  if (g_forking == nullptr) return;  // libc's own, somewhere inside
  g_child = raw_syscall(SYS_getpid);
  g_in_forked_child = true;
}

void before_mutex_in_child(const pthread_mutex_t& mutex, void* caller) {
  if ((mutex.__data.__kind & kNotPlain) != 0) return;
  if ((__atomic_load_n(&mutex.__data.__lock, __ATOMIC_RELAXED) & kHeldMask) == 0) return;
  const Task* const holder = other_task(mutex.__data.__owner);
  if (holder != nullptr) judge(*holder, &mutex, EventKind::mutex_lock, caller);
}

void before_rwlock_in_child(const pthread_rwlock_t& lock, EventKind kind, void* caller) {
  if (lock.__data.__shared != 0) return;
  const unsigned readers = __atomic_load_n(&lock.__data.__readers, __ATOMIC_RELAXED);
  if ((readers & kWriterHolds) != 0) {
    const Task* const holder = other_task(lock.__data.__cur_writer);
    if (holder != nullptr) judge(*holder, &lock, kind, caller);
    return;
  }
  if (kind != EventKind::rwlock_wrlock || readers >> kReaderShift == 0) return;
  // Readers have no names in the lock. The child is alone, so nobody has begun to read since.
  for (std::uint32_t i = 0; i < g_engine.task_count; ++i) {
    const Task& task = g_engine.tasks[i];
    if (&task != g_forking && taken_at(task, &lock).value != 0) {
      judge(task, &lock, kind, caller);
      return;
    }
  }
}

}  // namespace heddle::controlled
