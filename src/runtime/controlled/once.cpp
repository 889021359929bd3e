#include "runtime/controlled/detect.h"
#include "runtime/controlled/disturb.h"
#include "runtime/controlled/engine.h"
#include "runtime/controlled/operations.h"
#include "runtime/controlled/order.h"
#include "runtime/platform/real.h"

namespace heddle::controlled {

namespace {

HEDDLE_REAL runtime::Real<int(pthread_once_t*, void (*)())> real_once{"pthread_once"};

// glibc's pthread_once_t: bit 0 while somebody runs the routine (and cleared when that ends by an exception), 2 when done.
bool nobody_inside(const Task& task) {
  return (__atomic_load_n(static_cast<const int*>(task.wait_object), __ATOMIC_RELAXED) & 1) == 0;
}

void tell_end(Task& task, const void* control) {
  task.inside_once = nullptr;
  release(task, control);
  if (runtime::g_detecting) detect_end(task, EventKind::once, control, 1);
}

// Its end is told before libc lets others see it: they may come while this thread is without control.
void run_routine() {
  Task& begun = current();
  const void* const control = begun.once_control;
  void (*const routine)() = begun.once_routine;
  begun.inside_once = control;
  begun.once_routine = nullptr;
  routine();
  tell_end(current(), control);
}

}  // namespace

int once(pthread_once_t* control, void (*routine)(), Caller caller) {
  Task& self = current();
  Intent intent{EventKind::once, control, caller};
  intent.ready = nobody_inside;
  g_engine.point(self, intent);
  intent.goes_on = true;
  const bool first = (__atomic_load_n(control, __ATOMIC_RELAXED) & 2) == 0;
  // Who was inside before ended by an exception, which nobody told us of: what it did comes before what is done now.
  for (std::uint32_t i = 0; first && i < g_engine.task_count; ++i) {
    if (g_engine.tasks[i].inside_once == control) tell_end(g_engine.tasks[i], control);
  }
  acquire(self, control);
  g_engine.commit(self, intent, first ? 1 : 0, 0, first);
  // Nobody is inside, so the real one does not block; the routine runs under control like any code of the program.
  const void* const outer = self.inside_once;
  self.once_control = control;
  self.once_routine = routine;
  const int result = in_its_time(self, real_once, control, run_routine);
  const bool ran = self.once_routine == nullptr;
  self.once_routine = nullptr;
  if (ran) {
    self.inside_once = outer;
  } else if (first) {
    // It lost control on the way there, and somebody else was faster.
    acquire(self, control);
    if (runtime::g_detecting) detect_end(self, EventKind::once, control);
  }
  disturb_after(self, intent);
  return result;
}

}  // namespace heddle::controlled
