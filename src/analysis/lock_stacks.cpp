#include "analysis/lock_stacks.h"

namespace heddle {

void LockStacks::begin_run(Arena& arena) {
  dropped_ = 0;
  held_.begin_run(arena);
}

const TakenLock* LockStacks::find(ThreadId thread, std::uint64_t lock) const {
  for (const TakenLock& held : of(thread)) {
    if (held.lock == lock) return &held;
  }
  return nullptr;
}

void LockStacks::take(const Event& event, std::uint64_t lock, LockMode mode) {
  Stack* own = held_.find(event.thread.value);
  if (own == nullptr) own = held_.make(event.thread.value);
  if (own == nullptr) {
    ++dropped_;
    return;
  }
  Stack& stack = *own;
  for (TakenLock& held : stack) {
    if (held.lock != lock) continue;
    ++held.count;
    return;
  }
  if (stack.full()) {
    ++dropped_;
    return;
  }
  stack.push_back({lock, event.site, event.step, 1, mode});
}

void LockStacks::give(ThreadId thread, std::uint64_t lock, bool whole) {
  Stack* const own = held_.find(thread.value);
  if (own == nullptr) return;
  Stack& stack = *own;
  for (std::size_t i = stack.size(); i > 0; --i) {
    TakenLock& held = stack[i - 1];
    if (held.lock != lock) continue;
    if (!whole && --held.count > 0) return;
    stack.erase_at(i - 1);
    return;
  }
}

void LockStacks::on(const Event& event) {
  const EventKind kind = event.kind;
  if (takes_mutex(kind) || takes_exclusive(kind)) {
    if (succeeded(event)) take(event, event.object.value, LockMode::exclusive);
  } else if (takes_shared(kind)) {
    if (succeeded(event)) take(event, event.object.value, LockMode::shared);
  } else if (gives_mutex(kind) || kind == EventKind::rwlock_unlock) {
    if (event.result == 0) give(event.thread, event.object.value, false);
  } else if (is_wait(kind)) {
    if (event.phase == EventPhase::before) {
      give(event.thread, event.argument, false);
    } else {
      take(event, event.argument, LockMode::exclusive);
    }
  }
}

}  // namespace heddle
