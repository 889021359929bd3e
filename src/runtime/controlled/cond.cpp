// Condition variables. A signal wakes any waiter: a decision. A waiter exists only in the engine, so a condvar's memory may
// be reused freely. One for several processes is the exception: nobody here knows who else waits and signals, so all of it
// is the real functions' doing, and who waits is outside control.
#include <errno.h>

#include "analysis/effect.h"
#include "runtime/controlled/cancel.h"
#include "runtime/controlled/clock.h"
#include "runtime/controlled/disturb.h"
#include "runtime/controlled/engine.h"
#include "runtime/controlled/mutex.h"
#include "runtime/controlled/operations.h"
#include "runtime/controlled/order.h"
#include "runtime/controlled/waiters.h"
#include "runtime/identity.h"
#include "runtime/platform/real.h"

namespace heddle::controlled {

namespace {

using runtime::kCondVersion;
using runtime::Real;

HEDDLE_REAL Real<int(pthread_cond_t*, pthread_mutex_t*)> real_wait{"pthread_cond_wait",
                                                                   kCondVersion};
HEDDLE_REAL Real<int(pthread_cond_t*, pthread_mutex_t*, clockid_t, const timespec*)> real_clockwait{
    "pthread_cond_clockwait"};
HEDDLE_REAL Real<int(pthread_cond_t*)> real_signal{"pthread_cond_signal", kCondVersion};
HEDDLE_REAL Real<int(pthread_cond_t*)> real_broadcast{"pthread_cond_broadcast", kCondVersion};
HEDDLE_REAL Real<int(pthread_cond_t*)> real_destroy{"pthread_cond_destroy", kCondVersion};

// glibc's own: bit 0 of __wrefs.
bool is_shared(const pthread_cond_t* cond) {
  return (__atomic_load_n(&cond->__data.__wrefs, __ATOMIC_RELAXED) & 1) != 0;
}

struct OutsideWait {
  Task* self;
  pthread_mutex_t* mutex;
  Caller caller;
};

// The real wait is over, and the mutex held again; also where the thread was cancelled in it.
void come_back(void* argument) {
  const OutsideWait& wait = *static_cast<const OutsideWait*>(argument);
  enter_control();
  wait.self->relocks = nullptr;
  note_held(*wait.self, wait.mutex);
  acquire(*wait.self, wait.mutex);
  g_engine.commit(*wait.self, {EventKind::mutex_lock, wait.mutex, wait.caller}, 0, 0, true);
}

// Its mutex is held until the real wait gives it up, so no signal is missed on the way there.
int wait_outside(Task& self, pthread_cond_t* cond, pthread_mutex_t* mutex, clockid_t clock,
                 const timespec* deadline, Caller caller) {
  note_unheld(self, mutex);
  release(self, mutex);
  timespec real{};
  if (deadline != nullptr) real = real_deadline(clock, virtual_deadline(clock, *deadline));
  self.relocks = mutex;
  leave_control("pthread_cond_wait", caller);
  OutsideWait wait{&self, mutex, caller};
  int result = 0;
  pthread_cleanup_push(come_back, &wait);
  result = deadline == nullptr ? real_wait(cond, mutex) : real_clockwait(cond, mutex, clock, &real);
  pthread_cleanup_pop(1);
  return result;
}

int act_outside(Task& self, const Intent& intent, int result) {
  g_engine.commit(self, intent, 0, static_cast<std::int16_t>(result), true);
  return result;
}

// Notified, and its mutex (wait_value) is free: it can leave the wait in one step.
bool waiter_ready(const Task& task) {
  return task.notified &&
         mutex_is_free_for(*reinterpret_cast<const pthread_mutex_t*>(task.wait_value), task);
}

std::size_t waiters_of(const pthread_cond_t* cond, ThreadId* waiters) {
  return collect_waiters(cond, waiter_ready, waiters);
}

ThreadId g_waiters[kMaxThreads];

}  // namespace

int cond_wait(pthread_cond_t* cond, pthread_mutex_t* mutex, clockid_t clock,
              const timespec* deadline, Caller caller) {
  Task& self = current();
  ++g_engine.control->outcome.controlled_calls;
  Intent intent{deadline == nullptr ? EventKind::cond_wait : EventKind::cond_timedwait, cond,
                caller};
  if (deadline != nullptr && !valid(*deadline)) return EINVAL;
  act_on_cancellation(self);
  intent.wait_value = reinterpret_cast<std::uint64_t>(mutex);
  g_engine.point(self, intent);
  intent.goes_on = true;  // giving the mutex up and waiting are one
  g_engine.commit(self, intent, 0, 0, true);
  if (is_shared(cond)) return wait_outside(self, cond, mutex, clock, deadline, caller);
  if (const int result = give_mutex(self, mutex); result != 0) return result;

  // One that will wake by itself is no longer there for a signal; when it goes on is decided like everything else.
  const bool by_itself = g_engine.wakes_by_itself(self);
  self.notified = by_itself;
  self.queued = ++g_engine.queue_counter;
  self.cancellation_point = true;
  // Its mutex first, as for the clean-up handlers.
  self.takes_mutex_first = true;
  Intent wait = intent;
  wait.ready = waiter_ready;
  if (deadline != nullptr) wait.deadline = virtual_deadline(clock, *deadline);
  tamper(self, wait);
  g_engine.point(self, wait);
  self.cancellation_point = false;
  const bool notified = self.notified;
  self.notified = false;

  Intent relock{EventKind::mutex_lock, mutex, caller};
  relock.ready = mutex_ready;
  relock.shared = mutex_is_shared(*mutex);
  relock.goes_on = true;
  if (!notified || by_itself) relock.argument = kLeftUnwoken;
  if (!notified || self.timed_out) {
    g_engine.point(self, relock);
  } else {
    self.pending.object = runtime::object_of(mutex);  // what happens now is the mutex's
  }
  const int relocked = take_mutex(self, mutex, relock);
  disturb_after(self, intent);
  self.takes_mutex_first = false;
  if (!notified || self.cancelled_at_once) act_on_cancellation(self);
  if (relocked != 0) return relocked;
  return notified ? 0 : ETIMEDOUT;
}

int cond_signal(pthread_cond_t* cond, Caller caller) {
  Task& self = current();
  const Intent intent{EventKind::cond_signal, cond, caller};
  g_engine.point(self, intent);
  if (is_shared(cond)) return act_outside(self, intent, at_once(self, real_signal, cond));
  const std::size_t count = waiters_of(cond, g_waiters);
  if (count > 0) {
    const std::size_t chosen = g_engine.choose_waiter(self, g_waiters, count);
    notify(g_waiters[chosen], cond, waiter_ready);
  }
  g_engine.commit(self, intent, count, 0, true);
  return 0;
}

int cond_broadcast(pthread_cond_t* cond, Caller caller) {
  Task& self = current();
  const Intent intent{EventKind::cond_broadcast, cond, caller};
  g_engine.point(self, intent);
  if (is_shared(cond)) return act_outside(self, intent, at_once(self, real_broadcast, cond));
  const std::size_t count = waiters_of(cond, g_waiters);
  for (std::size_t i = 0; i < count; ++i) notify(g_waiters[i], cond, waiter_ready);
  g_engine.commit(self, intent, count, 0, true);
  return 0;
}

int cond_destroy(pthread_cond_t* cond, Caller caller) {
  // The real one waits for real waiters, and there are none. Destroying with waiters is the program's error; they stay in
  // the engine.
  Task& self = current();
  const Intent intent{EventKind::cond_destroy, cond, caller};
  g_engine.point(self, intent);
  return act_outside(self, intent, in_its_time(self, real_destroy, cond));
}

}  // namespace heddle::controlled
