#include "runtime/controlled/cancel.h"

#include <errno.h>

#include "runtime/controlled/operations.h"
#include "runtime/controlled/own_state.h"
#include "runtime/controlled/threads.h"
#include "runtime/controlled/verdict.h"
#include "runtime/controlled/world_waits.h"
#include "runtime/platform/real.h"

namespace heddle::controlled {

namespace {

using runtime::Real;

HEDDLE_REAL Real<int(pthread_t)> real_cancel{"pthread_cancel"};
HEDDLE_REAL Real<int(int, int*)> real_setcancelstate{"pthread_setcancelstate"};
HEDDLE_REAL Real<int(int, int*)> real_setcanceltype{"pthread_setcanceltype"};
HEDDLE_REAL Real<void()> real_testcancel{"pthread_testcancel"};

}  // namespace

void begin_cancellation(Task& main_task) {
  int state = PTHREAD_CANCEL_ENABLE;
  int type = PTHREAD_CANCEL_DEFERRED;
  real_setcancelstate(PTHREAD_CANCEL_DISABLE, &state);
  real_setcanceltype(PTHREAD_CANCEL_DEFERRED, &type);
  real_setcancelstate(state, nullptr);
  main_task.cancel_disabled = state == PTHREAD_CANCEL_DISABLE;
  main_task.cancelled_at_once = type == PTHREAD_CANCEL_ASYNCHRONOUS;
}

void lend_cancellation(const Task& self) {
  if (self.cancelled_at_once) real_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, nullptr);
}

void take_cancellation_back(const Task& self) {
  if (self.cancelled_at_once) real_setcanceltype(PTHREAD_CANCEL_DEFERRED, nullptr);
}

void act_on_cancellation(Task& self) {
  if (!self.cancelled || self.cancel_disabled) return;
  self.ending = true;
  real_testcancel();
}

void act_at_once(Task& self) {
  if (!self.cancelled_at_once || self.takes_mutex_first || self.cancellation_point ||
      self.thread->in_runtime)
    return;
  end_world_wait(self);
  act_on_cancellation(self);
}

int thread_cancel(pthread_t thread, Caller caller) {
  Task& self = current();
  const Intent intent{EventKind::thread_cancel, find_task(thread), caller};
  g_engine.point(self, intent);
  Task* const target = find_task(thread);
  // It may be outside control, and act on it before we hear of that.
  if (target != nullptr) target->cancelled = true;
  const int result = in_its_time(self, real_cancel, thread);
  g_engine.commit(self, intent, 0, static_cast<std::int16_t>(result), true);
  act_at_once(self);
  return result;
}

void thread_testcancel() { act_on_cancellation(current()); }

void thread_poll_cancel(Caller caller) {
  Task& self = current();
  act_on_cancellation(self);
  note_poll(self, reinterpret_cast<std::uint64_t>(caller) | 1, own_state(*self.thread, caller));
  if (!self.polling.goes_on()) return;
  Intent intent{EventKind::yield};
  intent.caller = caller;
  intent.yields = true;
  g_engine.point(self, intent);
  act_on_cancellation(self);
}

int set_cancel_state(int state, int* old) {
  Task& self = current();
  const int result = real_setcancelstate(state, old);
  if (result != 0) return result;
  self.cancel_disabled = state == PTHREAD_CANCEL_DISABLE;
  act_at_once(self);
  return 0;
}

int set_cancel_type(int type, int* old) {
  if (type != PTHREAD_CANCEL_DEFERRED && type != PTHREAD_CANCEL_ASYNCHRONOUS) return EINVAL;
  Task& self = current();
  if (old != nullptr) {
    *old = self.cancelled_at_once ? PTHREAD_CANCEL_ASYNCHRONOUS : PTHREAD_CANCEL_DEFERRED;
  }
  self.cancelled_at_once = type == PTHREAD_CANCEL_ASYNCHRONOUS;
  act_at_once(self);
  return 0;
}

void thread_exiting() { current().ending = true; }

}  // namespace heddle::controlled
