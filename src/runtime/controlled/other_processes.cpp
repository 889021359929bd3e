#include "runtime/controlled/other_processes.h"

#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>

#include <cerrno>

#include "runtime/controlled/engine.h"
#include "runtime/controlled/passing.h"
#include "runtime/controlled/world.h"
#include "runtime/free_engine.h"
#include "runtime/platform/syscall.h"
#include "runtime/platform/text.h"
#include "runtime/platform/thread_file.h"

namespace heddle::controlled {

using runtime::as_word;
using runtime::raw_syscall;

namespace {

constexpr std::uint64_t kPatienceNs = 50'000'000;
constexpr std::uint32_t kMostWithoutAnswer = 3;
constexpr std::uint64_t kMomentNs = 50'000;
constexpr std::uint64_t kBetweenLooksNs = 5'000'000;
constexpr std::uint64_t kMostForWorkNs = 1'000'000'000;

std::uint32_t g_without_answer;
std::uint64_t g_for_work_ns;

// A shell's command is the child of a child.
bool has_child(long process, long thread, int generations, bool (*is_meant)(ProcessState)) {
  char children[256];
  if (generations == 0 ||
      runtime::read_thread_file(process, thread, "children", children, sizeof children) <= 0) {
    return false;
  }
  for (const char* at = children; *at != '\0';) {
    const char* const before = at;
    const auto child = static_cast<long>(runtime::take_number(at));
    if (at == before) return false;
    while (*at == ' ') ++at;
    if (is_meant(state_of(child, child)) || has_child(child, child, generations - 1, is_meant)) {
      return true;
    }
  }
  return false;
}

bool some_child(bool (*is_meant)(ProcessState)) {
  const long process = raw_syscall(SYS_getpid);
  for (std::uint32_t i = g_engine.live_from; i < g_engine.task_count; ++i) {
    const Task& task = g_engine.tasks[i];
    const bool alive = task.state == TaskState::live || task.state == TaskState::outside;
    if (alive && task.tid != 0 && has_child(process, task.tid, 3, is_meant)) return true;
  }
  return false;
}

bool some_child_works() {
  return some_child([](ProcessState state) { return state == ProcessState::working; });
}

bool is_held_here(const void* object) {
  for (std::uint32_t i = 0; i < g_engine.task_count; ++i) {
    const Task& task = g_engine.tasks[i];
    // Back from a condition wait, but not yet under control.
    if (task.relocks == object && task.relocks->__data.__owner == task.tid) return true;
    for (const HeldLock& held : task.held) {
      if (held.lock == object) return true;
    }
  }
  return false;
}

// Asking takes long, and memory that was shared once mostly stays so.
bool is_shared_with_children(const void* object) {
  static std::uint64_t shared_page;
  const std::uint64_t page = reinterpret_cast<std::uint64_t>(object) >> 12;
  if (page == shared_page) return true;
  if (!others_share(object)) return false;
  shared_page = page;
  return true;
}

}  // namespace

ProcessState state_of(long process, long thread) {
  char text[256];
  const long size = runtime::read_thread_file(process, thread, "stat", text, sizeof text);
  if (size == -ENOENT || size == -ESRCH || size == 0) return ProcessState::gone;
  // "number (name) S …": the name may hold brackets, but what follows it does not.
  for (long i = size - 3; i >= 0; --i) {
    if (text[i] != ')') continue;
    switch (text[i + 2]) {
      case 'R':
      case 'D':
        return ProcessState::working;
      case 'S':
        return ProcessState::asleep;
      case 'Z':
      case 'X':
        return ProcessState::ended;
      default:
        return ProcessState::unknown;
    }
  }
  return ProcessState::unknown;
}

bool Moments::more() {
  if (waited_ns_ >= kPatienceNs) {
    if (g_for_work_ns >= kMostForWorkNs || !some_child_works()) {
      ++g_without_answer;
      return false;
    }
    g_for_work_ns += kBetweenLooksNs;
    waited_ns_ -= kBetweenLooksNs;
  }
  waited_ns_ += length_ns_;
  return true;
}

bool has_child_now() {
  return raw_syscall(SYS_waitid, P_ALL, 0, 0, WEXITED | WNOHANG | WNOWAIT) == 0;
}

bool child_runs() {
  return g_engine.has_children && has_child_now() && some_child([](ProcessState state) {
           return state != ProcessState::ended && state != ProcessState::gone;
         });
}

bool unseen_may_act() {
  // When it has ended, its parent's handler has still to run.
  constexpr std::uint64_t kHandlerPatienceNs = 200'000'000;
  static std::uint64_t child_ran_at;
  if (has_unseen_threads() || parent_may_act() || kernel_works_for_program()) return true;
  if (!g_engine.has_children || !handles_signals()) return false;
  const std::uint64_t now = real_now();
  if (child_ran_at == 0 || child_runs()) child_ran_at = now;
  return now - child_ran_at < kHandlerPatienceNs;
}

bool children_answer() { return g_engine.has_children && g_without_answer < kMostWithoutAnswer; }

bool is_with_child(const void* object) {
  return children_answer() && !is_held_here(object) && is_shared_with_children(object);
}

bool child_may_wait_for_us() {
  for (std::uint32_t i = g_engine.live_from; i < g_engine.task_count; ++i) {
    for (const HeldLock& held : g_engine.tasks[i].held) {
      if (is_shared_with_children(held.lock)) return true;
    }
  }
  return false;
}

bool await_child(const Task& self, bool (*ready)(const Task&)) {
  if (ready(self)) return true;
  if (!is_with_child(self.wait_object) || !has_child_now()) return false;
  const runtime::InRuntime inside(*self.thread);
  const timespec moment{0, static_cast<long>(kMomentNs)};
  for (Moments moments(kMomentNs); moments.more();) {
    raw_syscall(SYS_nanosleep, as_word(&moment), 0);
    if (ready(self)) return true;
    if (is_held_here(self.wait_object)) return false;
  }
  return false;
}

}  // namespace heddle::controlled
