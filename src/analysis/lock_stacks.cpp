#include "analysis/lock_stacks.h"

namespace heddle {

void LockStacks::begin_run(Arena& arena) {
  arena_ = &arena;
  held_.clear();
  unknown_.clear();
  dropped_ = 0;
}

const TakenLock* LockStacks::find(ThreadId thread, std::uint64_t lock) const {
  for (const TakenLock& held : of(thread)) {
    if (held.lock == lock) return &held;
  }
  return nullptr;
}

void LockStacks::take(ThreadId thread, const TakenLock& lock) {
  Stack*& own = held_[thread.value];
  if (own == nullptr) own = arena_->make<Stack>();
  if (own == nullptr) return drop(thread);
  Stack& stack = *own;
  for (TakenLock& held : stack) {
    if (held.lock != lock.lock) continue;
    ++held.count;
    return;
  }
  if (stack.full()) return drop(thread);
  stack.push_back(lock);
}

void LockStacks::give(ThreadId thread, std::uint64_t lock) {
  if (held_[thread.value] == nullptr) {
    forget_unknown(thread);
    return;
  }
  Stack& stack = *held_[thread.value];
  for (std::size_t i = stack.size(); i > 0; --i) {
    TakenLock& held = stack[i - 1];
    if (held.lock != lock) continue;
    if (--held.count == 0) stack.erase_at(i - 1);
    return;
  }
  forget_unknown(thread);
}

void LockStacks::forget_unknown(ThreadId thread) {
  if (unknown_[thread.value] != 0) --unknown_[thread.value];
}

void LockStacks::on(const Event& event) {
  const EventKind kind = event.kind;
  const auto taken = [&event](std::uint64_t lock, LockMode mode) {
    return TakenLock{lock, event.site, event.step, 1, mode};
  };
  const std::uint64_t object = event.object.value;
  if (takes_mutex(kind) || takes_exclusive(kind)) {
    if (succeeded(event)) take(event.thread, taken(object, LockMode::exclusive));
  } else if (takes_shared(kind)) {
    if (succeeded(event)) take(event.thread, taken(object, LockMode::shared));
  } else if (gives_mutex(kind) || kind == EventKind::rwlock_unlock) {
    if (event.result == 0) give(event.thread, object);
  } else if (is_wait(kind)) {
    if (event.phase == EventPhase::before) {
      give(event.thread, event.argument);
    } else {
      take(event.thread, taken(event.argument, LockMode::exclusive));
    }
  }
}

}  // namespace heddle
