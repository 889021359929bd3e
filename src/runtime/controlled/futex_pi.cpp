// Futexes with priority inheritance: locks whose word holds the number of the thread that has them. The kernel hands such a lock on to
// the one that waits; here the engine does, and who it is is a decision. Its changes of the word are atomic operations.
#include <errno.h>
#include <linux/futex.h>

#include "runtime/controlled/clock.h"
#include "runtime/controlled/detect.h"
#include "runtime/controlled/futex_pi.h"
#include "runtime/controlled/mutex.h"
#include "runtime/controlled/order.h"
#include "runtime/controlled/waiters.h"
#include "runtime/pinned_ids.h"

namespace heddle::controlled {

namespace {

ThreadId g_waiters[kMaxThreads];

std::uint32_t number_of(const Task& task) {
  return static_cast<std::uint32_t>(runtime::told_thread(task.id, task.tid));
}

enum class Owner : std::uint8_t { here, ended, unknown };

Owner find_owner(std::uint32_t owner) {
  for (std::uint32_t i = 0; i < g_engine.task_count; ++i) {
    const Task& task = g_engine.tasks[i];
    if (task.tid == 0 || number_of(task) != owner) continue;
    return is_there(task) ? Owner::here : Owner::ended;
  }
  return Owner::unknown;
}

std::uint32_t owner_of(const void* word) {
  return __atomic_load_n(static_cast<const std::uint32_t*>(word), __ATOMIC_SEQ_CST) &
         FUTEX_TID_MASK;
}

// Who waits when the owner ends gets the lock.
bool is_handed_on(const Task& task) {
  return task.notified || find_owner(owner_of(task.wait_object)) == Owner::ended;
}

// An atomic operation that the kernel would carry out for the thread.
void show(Task& self, Operation atomic, std::uint32_t value, bool stored) {
  order_atomic(self, atomic.object, atomic.kind, atomic.order, stored);
  if (runtime::g_detecting) detect_atomic(self, atomic, value, stored);
}

Operation operation_on(std::uint32_t* word, EventKind kind, MemoryOrder order, Caller caller) {
  Operation atomic{kind, word, caller};
  atomic.size = sizeof *word;
  atomic.order = order;
  return atomic;
}

void change(Task& self, std::uint32_t* word, std::uint32_t to, Caller caller) {
  __atomic_store_n(word, to, __ATOMIC_SEQ_CST);
  show(self, operation_on(word, EventKind::atomic_rmw, MemoryOrder::acq_rel, caller), to, true);
}

// 0, ETIMEDOUT, or EINTR where a handler has run: then it has to be asked for anew.
int wait_for_lock(Task& self, std::uint32_t* word, std::uint64_t deadline, Intent intent) {
  intent.goes_on = true;  // saying that somebody waits and waiting are one
  intent.ready = is_handed_on;
  intent.deadline = deadline;
  intent.interruption = Interruption::always;
  self.queued = ++g_engine.queue_counter;
  for (;;) {
    self.notified = false;
    g_engine.point(self, intent);
    const std::uint32_t owner = owner_of(word);
    if (owner == number_of(self)) break;
    if (self.interrupted) return EINTR;
    if (self.timed_out) return ETIMEDOUT;
    if (find_owner(owner) == Owner::ended) {
      change(self, word, number_of(self) | FUTEX_OWNER_DIED | FUTEX_WAITERS, intent.caller);
      break;
    }
  }
  self.notified = false;
  note_held(self, word);
  show(self, operation_on(word, EventKind::atomic_load, MemoryOrder::acquire, intent.caller), *word,
       false);
  return 0;
}

// 0, or the error; EINTR: once more.
int lock(std::uint32_t* word, int command, std::uint64_t deadline, Caller caller) {
  Task& self = current();
  ++g_engine.control->outcome.controlled_calls;
  Intent intent{EventKind::futex_wait, word, caller};
  g_engine.point(self, intent);
  const std::uint32_t value = __atomic_load_n(word, __ATOMIC_SEQ_CST);
  const std::uint32_t owner = value & FUTEX_TID_MASK;
  const auto end = [&](int error) {
    g_engine.commit(self, intent, 0, static_cast<std::int16_t>(error), error == 0);
    return error;
  };
  if (owner == number_of(self)) return end(EDEADLK);
  if (owner == 0) {
    change(self, word, value | number_of(self), caller);
    note_held(self, word);
    return end(0);
  }
  if (find_owner(owner) != Owner::here) return end(ESRCH);
  if (command == FUTEX_TRYLOCK_PI) {
    note_failed_try(self, word);
    return end(EAGAIN);
  }
  change(self, word, value | FUTEX_WAITERS, caller);
  g_engine.commit(self, intent, 1, 0, true);
  return wait_for_lock(self, word, deadline, intent);
}

int unlock(std::uint32_t* word, Caller caller) {
  Task& self = current();
  const Intent intent{EventKind::futex_wake, word, caller};
  g_engine.point(self, intent);
  if ((*word & FUTEX_TID_MASK) != number_of(self)) {
    g_engine.commit(self, intent, 0, EPERM, false);
    return EPERM;
  }
  note_unheld(self, word);
  const std::size_t count = collect_waiters(word, is_handed_on, g_waiters);
  std::uint32_t next = 0;
  if (count > 0) {
    Task& heir = g_engine.tasks[g_waiters[g_engine.choose_waiter(self, g_waiters, count)].value];
    heir.notified = true;
    next = number_of(heir) | (count > 1 ? FUTEX_WAITERS : 0);
  }
  change(self, word, next, caller);
  g_engine.commit(self, intent, count > 0 ? 1 : 0, 0, true);
  return 0;
}

}  // namespace

bool is_futex_lock(int command) {
  return command == FUTEX_LOCK_PI || command == FUTEX_LOCK_PI2 || command == FUTEX_TRYLOCK_PI ||
         command == FUTEX_UNLOCK_PI;
}

int futex_lock(std::uint32_t* word, int operation, const timespec* timeout, Caller caller) {
  const int command = operation & FUTEX_CMD_MASK;
  if (command == FUTEX_UNLOCK_PI) return unlock(word, caller);
  std::uint64_t deadline = kNever;
  if (command != FUTEX_TRYLOCK_PI && timeout != nullptr) {
    if (!valid(*timeout)) return EINVAL;
    const bool wall = command == FUTEX_LOCK_PI || (operation & FUTEX_CLOCK_REALTIME) != 0;
    deadline = virtual_deadline(wall ? CLOCK_REALTIME : CLOCK_MONOTONIC, *timeout);
  }
  for (;;) {
    const int error = lock(word, command, deadline, caller);
    if (error != EINTR) return error;
  }
}

bool knows_owner(const std::uint32_t* word) {
  const std::uint32_t owner = owner_of(word);
  return owner == 0 || find_owner(owner) != Owner::unknown;
}

}  // namespace heddle::controlled
