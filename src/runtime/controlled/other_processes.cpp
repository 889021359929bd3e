#include "runtime/controlled/other_processes.h"

#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>

#include "runtime/controlled/engine.h"
#include "runtime/controlled/world.h"
#include "runtime/free_engine.h"
#include "runtime/platform/syscall.h"

namespace heddle::controlled {

using runtime::raw_syscall;

namespace {

constexpr std::uint64_t kPatienceNs = 50'000'000;
constexpr std::uint32_t kMostWithoutAnswer = 3;
constexpr std::uint64_t kMomentNs = 50'000;

std::uint32_t g_without_answer;

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

bool Moments::more() {
  if (waited_ns_ >= kPatienceNs) {
    ++g_without_answer;
    return false;
  }
  waited_ns_ += length_ns_;
  return true;
}

bool has_child_now() {
  return raw_syscall(SYS_waitid, P_ALL, 0, 0, WEXITED | WNOHANG | WNOWAIT) == 0;
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
    raw_syscall(SYS_nanosleep, runtime::as_word(&moment), 0);
    if (ready(self)) return true;
    if (is_held_here(self.wait_object)) return false;
  }
  return false;
}

}  // namespace heddle::controlled
