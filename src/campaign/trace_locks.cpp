#include "campaign/trace_locks.h"

#include <algorithm>
#include <cerrno>
#include <map>

#include "analysis/effect.h"

namespace heddle::campaign {

bool takes_lock(const Event& event) {
  const bool takes =
      takes_mutex(event.kind) || takes_shared(event.kind) || takes_exclusive(event.kind);
  return takes && (event.result == 0 || event.result == EOWNERDEAD);
}

bool gives_lock(EventKind kind) { return gives_mutex(kind) || kind == EventKind::rwlock_unlock; }

void follow_locks(HeldLocks& held, const Event& event) {
  if (takes_lock(event)) {
    held.push_back(
        {event.object, takes_shared(event.kind) ? LockMode::shared : LockMode::exclusive});
  }
  if (gives_lock(event.kind)) {
    const auto found = std::ranges::find(held, event.object, &HeldLock::lock);
    if (found != held.end()) held.erase(found);
  }
  if (is_wait(event.kind)) {
    std::erase_if(held, [&](const HeldLock& one) { return one.lock == ObjectId{event.argument}; });
  }
}

std::vector<HeldLocks> held_locks(std::span<const Event> events) {
  std::map<ThreadId, HeldLocks> held;
  std::vector<HeldLocks> result;
  for (const Event& event : events) {
    follow_locks(held[event.thread], event);
    result.push_back(held[event.thread]);
  }
  return result;
}

bool kept_apart(const HeldLocks& a, const HeldLocks& b) {
  return std::ranges::any_of(a, [&](const HeldLock& one) {
    return std::ranges::any_of(b, [&](const HeldLock& other) {
      return one.lock == other.lock &&
             (one.mode == LockMode::exclusive || other.mode == LockMode::exclusive);
    });
  });
}

}  // namespace heddle::campaign
