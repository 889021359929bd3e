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

bool LockStacks::take(ThreadId thread, const TakenLock& lock) {
  Thread* own = threads_.find(thread.value);
  if (own == nullptr) own = threads_.make(thread.value);
  if (own == nullptr) {
    __atomic_store_n(&refused_, true, __ATOMIC_RELAXED);
    drop();
    return false;
  }
  Stack& stack = own->held;
  for (TakenLock& held : stack) {
    if (held.lock != lock.lock) continue;
    ++held.count;
    return false;
  }
  if (stack.full()) {
    ++own->unknown;
    drop();
    return false;
  }
  stack.push_back(lock);
  return true;
}

bool LockStacks::give(ThreadId thread, std::uint64_t lock) {
  Thread* const own = threads_.find(thread.value);
  if (own == nullptr) return false;
  Stack& stack = own->held;
  for (std::size_t i = stack.size(); i > 0; --i) {
    TakenLock& held = stack[i - 1];
    if (held.lock != lock) continue;
    if (--held.count != 0) return false;
    stack.erase_at(i - 1);
    return true;
  }
  if (own->unknown != 0) --own->unknown;
  return false;
}

void LockStacks::on(const Event& event) {
  const EventKind kind = event.kind;
  const auto taken = [&event](std::uint64_t lock, LockMode mode) {
    return TakenLock{lock, event.site, event.step, 1, mode, event.kind};
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
