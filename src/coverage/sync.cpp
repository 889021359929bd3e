#include "coverage/sync.h"

#include "coverage/passing.h"

namespace heddle {

namespace {

bool is_sync(EventKind kind) {
  return (kind >= EventKind::thread_join && kind <= EventKind::futex_requeue) || is_atomic(kind);
}
bool takes_lock(EventKind kind) {
  return takes_mutex(kind) || takes_exclusive(kind) || takes_shared(kind);
}

}  // namespace

void SyncCoverage::begin_run(const MetricContext& context, const MetricRow* rows) {
  context_ = context;
  row_ = rows[0];
  locks_.begin_run(*context.arena);
}

void SyncCoverage::meet(std::uint64_t waiting_place, std::uint64_t holding_place) {
  context_.cover(row_, {at_place(waiting_place), as_word(blocked)});
  context_.cover(row_, {at_place(holding_place), as_word(blocking)});
}

void SyncCoverage::on(const Seen& seen) {
  const Event& event = seen.event;
  if (is_sync(event.kind) && (passes(event) || takes_lock(event.kind))) {
    context_.cover(row_, {at_place(seen.place), as_word(visited)});
  }
  const bool gives = gives_mutex(event.kind) || event.kind == EventKind::rwlock_unlock;
  const bool waits = is_wait(event.kind) && event.phase == EventPhase::before;
  if (!gives && !waits && !takes_lock(event.kind)) return;
  Lock* const lock = locks_.find_or_make(waits ? event.argument : event.object.value);
  if (lock == nullptr) return;
  if (gives || waits) {
    if (lock->holder == event.thread && lock->depth > 0 && (waits || --lock->depth == 0)) {
      lock->depth = 0;
      lock->place = 0;
    }
    return;
  }
  if (event.phase == EventPhase::before) {
    if (only_tries(event.kind)) return;  // goes on either way
    if (lock->place != 0 && lock->holder != event.thread) meet(seen.place, lock->place);
    if (!lock->waiters.full()) lock->waiters.push_back({seen.place, event.thread});
    return;
  }
  for (std::size_t i = lock->waiters.size(); i-- > 0;) {
    if (lock->waiters[i].thread == event.thread) lock->waiters.erase_at(i);
  }
  if (!succeeded(event) || takes_shared(event.kind)) return;
  for (const Waiter& waiter : lock->waiters) meet(waiter.place, seen.place);
  lock->depth = lock->place != 0 && lock->holder == event.thread ? lock->depth + 1 : 1;
  lock->place = seen.place;
  lock->holder = event.thread;
}

}  // namespace heddle
