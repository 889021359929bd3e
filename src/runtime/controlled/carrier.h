// A carrier moves control between program threads. This one is `os`: every program thread is a kernel thread that sleeps
// on its own futex while it has no control; all are pinned to one CPU, so that a hand-over is one context switch.
// A fiber carrier would offer the same three functions.
#pragma once

#include "runtime/controlled/task.h"

namespace heddle::controlled::carrier {

enum class Wake : std::uint32_t {
  none = 0,
  run = 1,       // you have control
  schedule = 2,  // the last runner left control: choose who is next (Engine::take_over)
};

// Sleeps until somebody wakes this task.
Wake park(Task& self);
void unpark(Task& task, Wake wake);

// Waits until the kernel thread is gone: what it does on its way out (freeing its thread-local heap cache) must not run
// beside the next thread.
void await_end(pid_t tid);

}  // namespace heddle::controlled::carrier
