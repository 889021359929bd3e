// Reader-writer locks, both preferences. State is the program's own.
#include <errno.h>

#include "runtime/controlled/clock.h"
#include "runtime/controlled/disturb.h"
#include "runtime/controlled/engine.h"
#include "runtime/controlled/mutex.h"
#include "runtime/controlled/operations.h"
#include "runtime/controlled/order.h"
#include "runtime/controlled/other_processes.h"
#include "runtime/controlled/world.h"
#include "runtime/platform/real.h"

namespace heddle::controlled {

namespace {

using runtime::Real;

HEDDLE_REAL Real<int(pthread_rwlock_t*)> real_rdlock{"pthread_rwlock_rdlock"};
HEDDLE_REAL Real<int(pthread_rwlock_t*)> real_wrlock{"pthread_rwlock_wrlock"};
HEDDLE_REAL Real<int(pthread_rwlock_t*)> real_tryrdlock{"pthread_rwlock_tryrdlock"};
HEDDLE_REAL Real<int(pthread_rwlock_t*)> real_trywrlock{"pthread_rwlock_trywrlock"};
HEDDLE_REAL Real<int(pthread_rwlock_t*)> real_unlock{"pthread_rwlock_unlock"};

// glibc's layout of __readers: bit 1 says a writer holds it, the readers are counted from bit 3 on.
constexpr unsigned kWriterHolds = 2;
constexpr unsigned kReaderShift = 3;

const pthread_rwlock_t& lock_of(const Task& task) {
  return *static_cast<const pthread_rwlock_t*>(task.wait_object);
}

bool writer_ready(const Task& task) {
  const pthread_rwlock_t& lock = lock_of(task);
  const unsigned readers = __atomic_load_n(&lock.__data.__readers, __ATOMIC_RELAXED);
  if (lock.__data.__cur_writer == task.tid) return true;  // the real one says EDEADLK
  return (readers & kWriterHolds) == 0 && readers >> kReaderShift == 0;
}

bool a_writer_waits(const pthread_rwlock_t* lock) {
  for (std::uint32_t i = g_engine.live_from; i < g_engine.task_count; ++i) {
    const Task& task = g_engine.tasks[i];
    if (task.state == TaskState::live && task.ready == writer_ready && task.wait_object == lock) {
      return true;
    }
  }
  return false;
}

bool reader_ready(const Task& task) {
  const pthread_rwlock_t& lock = lock_of(task);
  if (lock.__data.__cur_writer == task.tid) return true;  // the real one says EDEADLK
  const unsigned readers = __atomic_load_n(&lock.__data.__readers, __ATOMIC_RELAXED);
  if ((readers & kWriterHolds) != 0) return false;
  return lock.__data.__flags != PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP ||
         readers >> kReaderShift == 0 || !a_writer_waits(&lock);
}

// Readers publish to a clock of their own, so that they are not ordered among themselves.
const void* readers_clock(const pthread_rwlock_t* lock) {
  return reinterpret_cast<const char*>(lock) + 1;
}

int finish(Task& self, pthread_rwlock_t* lock, const Intent& intent, int result, bool writer) {
  if (result == 0) {
    note_held(self, lock);
    acquire(self, lock);
    if (writer) acquire(self, readers_clock(lock));
  }
  g_engine.commit(self, intent, 0, static_cast<std::int16_t>(result), result != EBUSY);
  return result;
}

int lock_either(pthread_rwlock_t* lock, clockid_t clock, const timespec* deadline, Caller caller,
                bool writer) {
  Task& self = current();
  ++g_engine.control->outcome.controlled_calls;
  Intent intent{EventKind::none, lock, caller};
  intent.ready = writer ? writer_ready : reader_ready;
  intent.shared = lock->__data.__shared != 0;
  if (deadline == nullptr) {
    intent.kind = writer ? EventKind::rwlock_wrlock : EventKind::rwlock_rdlock;
  } else {
    want_release_points();
    intent.kind = writer ? EventKind::rwlock_timedwrlock : EventKind::rwlock_timedrdlock;
    if (!valid(*deadline)) return EINVAL;
    intent.deadline = virtual_deadline(clock, *deadline);
    intent.in_real_time = intent.shared && others_share(lock);
    tamper(self, intent);
  }
  for (;;) {
    g_engine.point(self, intent);
    if (self.timed_out) {
      g_engine.commit(self, intent, 0, ETIMEDOUT, true);
      return ETIMEDOUT;
    }
    if (!intent.shared || lock->__data.__cur_writer == self.tid) break;
    do {
      const int result = at_once(self, writer ? real_trywrlock : real_tryrdlock, lock);
      if (result != EBUSY) return finish(self, lock, intent, result, writer);
      // Another process was faster.
    } while (intent.deadline == kNever && await_child(self, intent.ready));
  }
  const int result = in_its_time(self, writer ? real_wrlock : real_rdlock, lock);
  return finish(self, lock, intent, result, writer);
}

int try_either(pthread_rwlock_t* lock, Caller caller, bool writer) {
  Task& self = current();
  want_release_points();
  const Intent intent{writer ? EventKind::rwlock_trywrlock : EventKind::rwlock_tryrdlock, lock,
                      caller};
  g_engine.point(self, intent);
  // A writer that waits in the engine is not known to libc's.
  self.wait_object = lock;
  const bool kept_out = !writer && !reader_ready(self);
  const int result =
      kept_out ? EBUSY : at_once(self, writer ? real_trywrlock : real_tryrdlock, lock);
  if (result == EBUSY) note_failed_try(self, lock);
  return finish(self, lock, intent, result, writer);
}

}  // namespace

int rwlock_rdlock(pthread_rwlock_t* lock, clockid_t clock, const timespec* deadline,
                  Caller caller) {
  return lock_either(lock, clock, deadline, caller, false);
}

int rwlock_wrlock(pthread_rwlock_t* lock, clockid_t clock, const timespec* deadline,
                  Caller caller) {
  return lock_either(lock, clock, deadline, caller, true);
}

int rwlock_tryrdlock(pthread_rwlock_t* lock, Caller caller) {
  return try_either(lock, caller, false);
}

int rwlock_trywrlock(pthread_rwlock_t* lock, Caller caller) {
  return try_either(lock, caller, true);
}

int rwlock_unlock(pthread_rwlock_t* lock, Caller caller) {
  Task& self = current();
  const Intent intent{EventKind::rwlock_unlock, lock, caller};
  g_engine.point(self, intent);
  const bool writer = lock->__data.__cur_writer == self.tid;
  const int result = at_once(self, real_unlock, lock);
  note_unheld(self, lock);
  if (writer) {
    release(self, lock);
  } else {
    release_join(self, readers_clock(lock));
  }
  g_engine.commit(self, intent, 0, static_cast<std::int16_t>(result), true);
  return result;
}

}  // namespace heddle::controlled
