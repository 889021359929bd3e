// Mutexes and spin locks. Their state is the program's own; see operations.h.
#include "runtime/controlled/mutex.h"

#include <errno.h>

#include "runtime/controlled/clock.h"
#include "runtime/controlled/disturb.h"
#include "runtime/controlled/engine.h"
#include "runtime/controlled/operations.h"
#include "runtime/controlled/order.h"
#include "runtime/controlled/other_processes.h"
#include "runtime/controlled/verdict.h"
#include "runtime/controlled/world.h"
#include "runtime/identity.h"
#include "runtime/platform/real.h"

namespace heddle::controlled {

namespace {

using runtime::Real;

HEDDLE_REAL Real<int(pthread_mutex_t*)> real_mutex_lock{"pthread_mutex_lock"};
HEDDLE_REAL Real<int(pthread_mutex_t*)> real_mutex_trylock{"pthread_mutex_trylock"};
HEDDLE_REAL Real<int(pthread_mutex_t*)> real_mutex_unlock{"pthread_mutex_unlock"};
HEDDLE_REAL Real<int(pthread_mutex_t*)> real_mutex_destroy{"pthread_mutex_destroy"};
HEDDLE_REAL Real<int(pthread_spinlock_t*)> real_spin_lock{"pthread_spin_lock"};
HEDDLE_REAL Real<int(pthread_spinlock_t*)> real_spin_trylock{"pthread_spin_trylock"};
HEDDLE_REAL Real<int(pthread_spinlock_t*)> real_spin_unlock{"pthread_spin_unlock"};
HEDDLE_REAL Real<int(pthread_spinlock_t*, int)> real_spin_init{"pthread_spin_init"};

// glibc's mutex: the low 30 bits of __lock are non-zero while it is held; __kind's low two bits are the type, bit 4 says
// robust (its __lock then names the owner, and the kernel clears it when that thread dies), bit 7 that it is for several
// processes.
constexpr int kHeldMask = 0x3fffffff;
constexpr int kHasCeiling = 64;  // PTHREAD_PRIO_PROTECT: that stands above,
constexpr int kHeldBelowCeiling = 0x7ffff;
constexpr int kTypeMask = 3;
constexpr int kRobust = 16;
constexpr int kShared = 128;                 // and all robust ones
constexpr int kNotRecoverable = 0x7ffffffe;  // in the place of an owner

bool owner_ended(int tid) {
  for (std::uint32_t i = 0; i < g_engine.task_count; ++i) {
    if (g_engine.tasks[i].tid == tid) return g_engine.tasks[i].state == TaskState::ended;
  }
  return false;
}

int finish_lock(Task& self, pthread_mutex_t* mutex, const Intent& intent, int result) {
  if (result == 0 || result == EOWNERDEAD) {
    note_held(self, mutex);
    acquire(self, mutex);
  }
  g_engine.commit(self, intent, 0, static_cast<std::int16_t>(result), true);
  return result;
}

bool spin_is_free(const Task& task) {
  static int free_value;
  static bool known;
  if (!known) {
    pthread_spinlock_t fresh;
    real_spin_init(&fresh, PTHREAD_PROCESS_PRIVATE);
    free_value = fresh;
    known = true;
  }
  return __atomic_load_n(static_cast<const int*>(task.wait_object), __ATOMIC_RELAXED) == free_value;
}

}  // namespace

void point_before_release(Task& self, const Intent& intent) {
  if (g_engine.release_points || g_engine.noisy) {
    g_engine.point(self, intent);
    return;
  }
  self.pending.kind = intent.kind;
  Engine::name(self, intent.object, intent.caller);
}

void want_release_points() {
  g_engine.release_points = true;
  g_engine.control->outcome.wants_release_points = 1;
}

bool mutex_is_free_for(const pthread_mutex_t& mutex, const Task& task) {
  const int lock = __atomic_load_n(&mutex.__data.__lock, __ATOMIC_RELAXED);
  const bool has_ceiling = (mutex.__data.__kind & kHasCeiling) != 0;
  if ((lock & (has_ceiling ? kHeldBelowCeiling : kHeldMask)) == 0) return true;
  const int type = mutex.__data.__kind & kTypeMask;
  if (mutex.__data.__owner == task.tid &&
      (type == PTHREAD_MUTEX_RECURSIVE || type == PTHREAD_MUTEX_ERRORCHECK)) {
    return true;  // the real lock counts up, or says EDEADLK
  }
  return (mutex.__data.__kind & kRobust) != 0 && owner_ended(lock & kHeldMask);
}

bool mutex_ready(const Task& task) {
  return mutex_is_free_for(*static_cast<const pthread_mutex_t*>(task.wait_object), task);
}

void note_held(Task& task, const void* lock) {
  if (!task.held.full()) task.held.push_back({lock, task.pending.site});
}

void note_unheld(Task& task, const void* lock) {
  for (std::size_t i = task.held.size(); i > 0; --i) {
    if (task.held[i - 1].lock != lock) continue;
    task.held.erase_at(i - 1);
    return;
  }
}

bool mutex_is_shared(const pthread_mutex_t& mutex) { return (mutex.__data.__kind & kShared) != 0; }

int take_mutex(Task& self, pthread_mutex_t* mutex, const Intent& intent) {
  // glibc's trylock keeps one that nobody can use any more; its lock does not.
  const auto may_try = [&] {
    const int owner = mutex->__data.__owner;
    return owner != self.tid && owner != kNotRecoverable;
  };
  while (mutex_is_shared(*mutex) && may_try()) {
    const int result = at_once(self, real_mutex_trylock, mutex);
    if (result != EBUSY) return finish_lock(self, mutex, intent, result);
    // Another process was faster: we wait again.
    if (await_child(self, mutex_ready)) continue;
    Intent again{EventKind::mutex_lock, mutex, intent.caller};
    again.ready = mutex_ready;
    again.shared = true;
    again.goes_on = true;
    g_engine.point(self, again);
  }
  return finish_lock(self, mutex, intent, in_its_time(self, real_mutex_lock, mutex));
}

int give_mutex(Task& self, pthread_mutex_t* mutex) {
  const int result = at_once(self, real_mutex_unlock, mutex);
  if (result == 0) {
    note_unheld(self, mutex);
    release(self, mutex);
  }
  return result;
}

int mutex_lock(pthread_mutex_t* mutex, Caller caller) {
  Task& self = current();
  ++g_engine.control->outcome.controlled_calls;
  Intent intent{EventKind::mutex_lock, mutex, caller};
  intent.ready = mutex_ready;
  intent.shared = mutex_is_shared(*mutex);
  g_engine.point(self, intent);
  return take_mutex(self, mutex, intent);
}

int mutex_trylock(pthread_mutex_t* mutex, Caller caller) {
  Task& self = current();
  want_release_points();
  const Intent intent{EventKind::mutex_trylock, mutex, caller};
  g_engine.point(self, intent);
  const int result = at_once(self, real_mutex_trylock, mutex);
  if (result == EBUSY) {
    note_failed_try(self, mutex);
    g_engine.commit(self, intent, 0, EBUSY, false);
    return result;
  }
  return finish_lock(self, mutex, intent, result);
}

int mutex_timedlock(pthread_mutex_t* mutex, clockid_t clock, const timespec* deadline,
                    Caller caller) {
  Task& self = current();
  ++g_engine.control->outcome.controlled_calls;
  want_release_points();
  Intent intent{EventKind::mutex_timedlock, mutex, caller};
  intent.ready = mutex_ready;
  intent.shared = mutex_is_shared(*mutex);
  if (!valid(*deadline)) {
    if (!mutex_is_free_for(*mutex, self)) return EINVAL;
  } else {
    intent.deadline = virtual_deadline(clock, *deadline);
    intent.in_real_time = intent.shared && others_share(mutex);
    tamper(self, intent);
  }
  g_engine.point(self, intent);
  if (self.timed_out) {
    g_engine.commit(self, intent, 0, ETIMEDOUT, true);
    return ETIMEDOUT;
  }
  return take_mutex(self, mutex, intent);
}

int mutex_unlock(pthread_mutex_t* mutex, Caller caller) {
  Task& self = current();
  const Intent intent{EventKind::mutex_unlock, mutex, caller};
  point_before_release(self, intent);
  const int result = give_mutex(self, mutex);
  g_engine.commit(self, intent, 0, static_cast<std::int16_t>(result), true);
  return result;
}

int mutex_destroy(pthread_mutex_t* mutex, Caller caller) {
  Task& self = current();
  const Intent intent{EventKind::mutex_destroy, mutex, caller};
  point_before_release(self, intent);
  const int result = at_once(self, real_mutex_destroy, mutex);
  g_engine.commit(self, intent, 0, static_cast<std::int16_t>(result), true);
  return result;
}

void note_failed_try(Task& task, const void* object) {
  ++g_engine.failed_tries;
  note_poll(task, (reinterpret_cast<std::uint64_t>(object) ^ task.pending.site.value << 1) | 1);
}

int spin_lock(pthread_spinlock_t* lock, Caller caller) {
  Task& self = current();
  ++g_engine.control->outcome.controlled_calls;
  Intent intent{EventKind::spin_lock, const_cast<int*>(lock), caller};
  intent.ready = spin_is_free;
  intent.shared = g_engine.has_children;  // it does not say itself
  g_engine.point(self, intent);
  const int result = in_its_time(self, real_spin_lock, lock);
  note_held(self, const_cast<int*>(lock));
  acquire(self, const_cast<int*>(lock));
  g_engine.commit(self, intent, 0, static_cast<std::int16_t>(result), true);
  return result;
}

int spin_trylock(pthread_spinlock_t* lock, Caller caller) {
  Task& self = current();
  want_release_points();
  const Intent intent{EventKind::spin_trylock, const_cast<int*>(lock), caller};
  g_engine.point(self, intent);
  const int result = at_once(self, real_spin_trylock, lock);
  if (result == 0) {
    note_held(self, const_cast<int*>(lock));
    acquire(self, const_cast<int*>(lock));
  } else {
    note_failed_try(self, const_cast<int*>(lock));
  }
  g_engine.commit(self, intent, 0, static_cast<std::int16_t>(result), result == 0);
  return result;
}

int spin_unlock(pthread_spinlock_t* lock, Caller caller) {
  Task& self = current();
  const Intent intent{EventKind::spin_unlock, const_cast<int*>(lock), caller};
  point_before_release(self, intent);
  const int result = at_once(self, real_spin_unlock, lock);
  note_unheld(self, const_cast<int*>(lock));
  release(self, const_cast<int*>(lock));
  g_engine.commit(self, intent, 0, static_cast<std::int16_t>(result), true);
  return result;
}

}  // namespace heddle::controlled
