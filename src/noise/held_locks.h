// The locks a thread holds, as its events tell. Part of ThreadNoise: all zero is none.
//
// An acquisition counts once it is certain: at its `after` event with result 0 or, in an engine
// that shows none, at the thread's next event, unless it was one that may fail. A condition wait
// gives its mutex up and gets it back.
#pragma once

#include <cstdint>

#include "contract/event.h"

namespace heddle {

struct HeldLock {
  std::uint64_t object;
  std::uint64_t site;  // of the operation that took it
  bool exclusive;      // not a reader's
};

constexpr bool is_acquire(EventKind kind) {
  return (kind >= EventKind::mutex_lock && kind <= EventKind::mutex_timedlock) ||
         kind == EventKind::spin_lock || kind == EventKind::spin_trylock ||
         (kind >= EventKind::rwlock_rdlock && kind <= EventKind::rwlock_timedwrlock);
}
constexpr bool is_release(EventKind kind) {
  return kind == EventKind::mutex_unlock || kind == EventKind::spin_unlock ||
         kind == EventKind::rwlock_unlock;
}
constexpr bool is_condition_wait(EventKind kind) {
  return kind == EventKind::cond_wait || kind == EventKind::cond_timedwait;
}
// May return without the lock.
constexpr bool may_fail(EventKind kind) {
  return kind == EventKind::mutex_trylock || kind == EventKind::mutex_timedlock ||
         kind == EventKind::spin_trylock || kind == EventKind::rwlock_tryrdlock ||
         kind == EventKind::rwlock_timedrdlock || kind == EventKind::rwlock_trywrlock ||
         kind == EventKind::rwlock_timedwrlock;
}
constexpr bool is_reader(EventKind kind) {
  return kind == EventKind::rwlock_rdlock || kind == EventKind::rwlock_tryrdlock ||
         kind == EventKind::rwlock_timedrdlock;
}

// What an event changed. Objects are 0 where nothing was.
struct LockChange {
  HeldLock acquired;
  HeldLock released;
};

class HeldLocks {
 public:
  static constexpr unsigned kMost = 8;

  // Shown every event of the thread, in order.
  LockChange note(const Event& event);

  const HeldLock* begin() const { return locks_; }
  const HeldLock* end() const { return locks_ + count_; }
  // The latest acquisition of it; null if not held.
  const HeldLock* find(std::uint64_t object) const;

 private:
  void take(const HeldLock& lock);
  HeldLock drop(std::uint64_t object);

  HeldLock locks_[kMost];
  std::uint32_t count_;
  EventKind pending_kind_;  // none: nothing pending
  HeldLock pending_;
};

}  // namespace heddle
