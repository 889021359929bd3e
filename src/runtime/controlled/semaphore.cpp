#include <errno.h>

#include "base/fixed_vector.h"
#include "runtime/controlled/cancel.h"
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

HEDDLE_REAL Real<int(sem_t*)> real_trywait{"sem_trywait"};
HEDDLE_REAL Real<int(sem_t*)> real_post{"sem_post"};
HEDDLE_REAL Real<int(sem_t*, int*)> real_getvalue{"sem_getvalue"};

// glibc's own: after value and waiters comes what it adds to its futex operations, which is not 0 for several processes.
bool is_shared(const sem_t* semaphore) { return reinterpret_cast<const int*>(semaphore)[2] != 0; }

// Semaphores for several processes that threads of ours have posted.
FixedVector<const sem_t*, 64> g_posted;

bool is_posted_here(const sem_t* semaphore) {
  for (const sem_t* const posted : g_posted) {
    if (posted == semaphore) return true;
  }
  return g_posted.full();
}

bool semaphore_ready(const Task& task) {
  int value = 0;
  real_getvalue(static_cast<sem_t*>(const_cast<void*>(task.wait_object)), &value);
  return value > 0;
}

int take(Task& self, sem_t* semaphore, const Intent& intent) {
  int result = at_once(self, real_trywait, semaphore);
  // Another process may have been faster.
  while (result != 0 && errno == EAGAIN && self.patient && await_child(self, semaphore_ready)) {
    result = at_once(self, real_trywait, semaphore);
  }
  const int error = result == 0 ? 0 : errno;
  if (result == 0) {
    acquire(self, semaphore);
  } else {
    note_failed_try(self, semaphore);
  }
  g_engine.commit(self, intent, 0, static_cast<std::int16_t>(error), result == 0);
  if (result != 0) errno = error;
  return result;
}

}  // namespace

int sem_wait(sem_t* semaphore, clockid_t clock, const timespec* deadline, Caller caller) {
  Task& self = current();
  ++g_engine.control->outcome.controlled_calls;
  act_on_cancellation(self);
  Intent intent{deadline == nullptr ? EventKind::sem_wait : EventKind::sem_timedwait, semaphore,
                caller};
  intent.ready = semaphore_ready;
  intent.shared = is_shared(semaphore);
  intent.given_here = intent.shared && is_posted_here(semaphore);
  intent.interruption = Interruption::unless_restarted;
  if (deadline != nullptr) {
    if (!valid(*deadline)) {
      errno = EINVAL;
      return -1;
    }
    intent.interruption = Interruption::always;  // whatever SA_RESTART says
    intent.deadline = virtual_deadline(clock, *deadline);
    intent.in_real_time = intent.shared && others_share(semaphore);
    tamper(self, intent);
  }
  for (;;) {
    self.cancellation_point = true;
    g_engine.point(self, intent);
    self.cancellation_point = false;
    act_on_cancellation(self);
    if (self.timed_out || self.interrupted) {
      const int error = self.timed_out ? ETIMEDOUT : EINTR;
      g_engine.commit(self, intent, 0, static_cast<std::int16_t>(error), true);
      errno = error;
      return -1;
    }
    const int result = take(self, semaphore, intent);
    // Another process may have been faster.
    if (result == 0 || errno != EAGAIN || !intent.shared) return result;
  }
}

int sem_trywait(sem_t* semaphore, Caller caller) {
  Task& self = current();
  const Intent intent{EventKind::sem_trywait, semaphore, caller};
  g_engine.point(self, intent);
  return take(self, semaphore, intent);
}

int sem_post(sem_t* semaphore, Caller caller) {
  Task& self = current();
  const Intent intent{EventKind::sem_post, semaphore, caller};
  g_engine.point(self, intent);
  release_join(self, semaphore);
  if (is_shared(semaphore) && !is_posted_here(semaphore)) g_posted.push_back(semaphore);
  const int result = at_once(self, real_post, semaphore);
  const int error = result == 0 ? 0 : errno;
  g_engine.commit(self, intent, 0, static_cast<std::int16_t>(error), true);
  if (result != 0) errno = error;
  return result;
}

}  // namespace heddle::controlled
