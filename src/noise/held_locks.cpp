#include "noise/held_locks.h"

namespace heddle {

LockChange HeldLocks::note(const Event& event) {
  LockChange change{};
  if (pending_kind_ != EventKind::none) {
    const bool its_end = event.phase == EventPhase::after && event.kind == pending_kind_;
    const bool waited =
        is_condition_wait(pending_kind_);  // has the mutex again, whatever it returned
    const bool got = its_end ? event.result == 0 || waited : !may_fail(pending_kind_);
    if (got) {
      take(pending_);
      change.acquired = pending_;
    }
    pending_kind_ = EventKind::none;
  }
  if (event.phase != EventPhase::before) return change;
  if (is_acquire(event.kind)) {
    pending_kind_ = event.kind;
    pending_ = {event.object.value, event.site.value, !is_reader(event.kind)};
  } else if (is_release(event.kind)) {
    change.released = drop(event.object.value);
  } else if (is_condition_wait(event.kind)) {
    change.released = drop(event.argument);
    pending_kind_ = event.kind;
    pending_ = {event.argument, event.site.value, true};
  }
  return change;
}

const HeldLock* HeldLocks::find(std::uint64_t object) const {
  for (std::uint32_t i = count_; i > 0; --i) {
    if (locks_[i - 1].object == object) return &locks_[i - 1];
  }
  return nullptr;
}

// More than fit are not kept: a place then seems less protected than it is, and gets noise it might
// have been spared.
void HeldLocks::take(const HeldLock& lock) {
  if (count_ < kMost) locks_[count_++] = lock;
}

HeldLock HeldLocks::drop(std::uint64_t object) {
  const HeldLock* found = find(object);
  if (found == nullptr) return {};
  const HeldLock lock = *found;
  for (auto i = static_cast<std::uint32_t>(found - locks_) + 1; i < count_; ++i) {
    locks_[i - 1] = locks_[i];
  }
  --count_;
  return lock;
}

}  // namespace heddle
