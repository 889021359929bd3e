#include "analysis/lock_stacks.h"

namespace heddle {

void LockStacks::begin_run(Arena& arena) {
  threads_.begin_run(arena);
  dropped_ = 0;
  refused_ = false;
}

const TakenLock* LockStacks::find(ThreadId thread, std::uint64_t lock) const {
  for (const TakenLock& held : of(thread)) {
    if (held.lock == lock) return &held;
  }
  return nullptr;
}

void LockStacks::take(const Event& event, std::uint64_t lock, LockMode mode) {
  Thread* own = threads_.find(event.thread.value);
  if (own == nullptr) own = threads_.make(event.thread.value);
  if (own == nullptr) {
    __atomic_store_n(&refused_, true, __ATOMIC_RELAXED);
    return drop();
  }
  Stack& stack = own->held;
  for (TakenLock& held : stack) {
    if (held.lock != lock) continue;
    ++held.count;
    return;
  }
  if (stack.full()) {
    ++own->unknown;
    return drop();
  }
  stack.push_back({lock, event.site, event.step, 1, mode});
}

void LockStacks::give(ThreadId thread, std::uint64_t lock, bool whole) {
  Thread* const own = threads_.find(thread.value);
  if (own == nullptr) return;
  Stack& stack = own->held;
  for (std::size_t i = stack.size(); i > 0; --i) {
    TakenLock& held = stack[i - 1];
    if (held.lock != lock) continue;
    if (!whole && --held.count > 0) return;
    stack.erase_at(i - 1);
    return;
  }
  if (own->unknown != 0) --own->unknown;
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
