// Cancellation of threads. A cancelled thread goes on from where it waits: from a cancellation point, or from anywhere if it is
// cancelled at once (asynchronously), and ends there.
//
// libc is not told that a thread under control may be cancelled at once, or its signal would end one in the middle of the engine:
// where that happens is a scheduling point like any other.
#pragma once

#include "runtime/controlled/engine.h"

namespace heddle::controlled {

// The main thread, as the program's libraries have left it.
void begin_cancellation(Task& main_task);
// libc knows what the thread wants while it is outside control, and in a forked child.
void lend_cancellation(const Task& self);
void take_cancellation_back(const Task& self);

// It is cancelled, allows it, and has not begun to end.
inline bool will_be_cancelled(const Task& task) {
  return task.cancelled && !task.cancel_disabled && !task.ending;
}

// Its wait is over for that reason. One that a wake-up has reached goes on as such, and is cancelled where it comes to next.
inline bool cancellation_ends_wait(const Task& task) {
  return will_be_cancelled(task) && ((task.cancellation_point && !task.notified) ||
                                     (task.cancelled_at_once && !task.takes_mutex_first));
}

// Ends the thread if it was cancelled and allows it. Call outside InRuntime: cleanup handlers run from here.
void act_on_cancellation(Task& self);
// The same where it is cancelled at once and the operation that it was about to do is no cancellation point, which would see to
// that itself.
void act_at_once(Task& self);

}  // namespace heddle::controlled
