#include "runtime/controlled/detect.h"
#include "runtime/controlled/disturb.h"
#include "runtime/controlled/engine.h"
#include "runtime/controlled/operations.h"
#include "runtime/controlled/order.h"
#include "runtime/controlled/waiters.h"
#include "runtime/platform/real.h"

namespace heddle::controlled {

namespace {

// The beginning of glibc's pthread_barrier_t. Arrivals are counted in the engine, so only the number needed is read.
struct BarrierLayout {
  unsigned in;
  unsigned current_round;
  unsigned count;
  int shared;  // not 0: for several processes
};

using runtime::Real;

HEDDLE_REAL Real<int(pthread_barrier_t*)> real_wait{"pthread_barrier_wait"};

bool at_barrier(const Task& task) { return task.notified; }

ThreadId g_waiters[kMaxThreads];

}  // namespace

int barrier_wait(pthread_barrier_t* barrier, Caller caller) {
  Task& self = current();
  ++g_engine.control->outcome.controlled_calls;
  Intent intent{EventKind::barrier_wait, barrier, caller};
  g_engine.point(self, intent);
  release_join(self, barrier);
  intent.goes_on = true;
  g_engine.commit(self, intent, 0, 0, true);
  if (reinterpret_cast<const BarrierLayout*>(barrier)->shared != 0) {
    // Only the kernel knows of everybody who comes.
    leave_control("pthread_barrier_wait", caller);
    const int result = real_wait(barrier);
    enter_control();
    acquire(self, barrier);
    if (runtime::g_detecting) detect_end(self, EventKind::barrier_wait, barrier);
    return result;
  }
  const std::size_t arrived = collect_waiters(barrier, at_barrier, g_waiters);
  if (arrived + 1 >= reinterpret_cast<const BarrierLayout*>(barrier)->count) {
    for (std::size_t i = 0; i < arrived; ++i) notify(g_waiters[i], barrier, at_barrier);
    acquire(self, barrier);
    if (runtime::g_detecting) detect_end(self, EventKind::barrier_wait, barrier);
    disturb_after(self, intent);
    return PTHREAD_BARRIER_SERIAL_THREAD;
  }
  self.notified = false;
  self.queued = ++g_engine.queue_counter;
  intent.ready = at_barrier;
  g_engine.point(self, intent);
  self.notified = false;
  acquire(self, barrier);
  if (runtime::g_detecting) detect_end(self, EventKind::barrier_wait, barrier);
  disturb_after(self, intent);
  return 0;
}

}  // namespace heddle::controlled
