// Timers that call a function (SIGEV_THREAD). libc has a thread that waits for them, and makes another for each call. Here threads wait
// in the engine for a call, are under control as any thread of the program's, and wait again after it: a run has numbers for
// so many threads only. One that makes a call leaves another behind who waits, so that calls may overlap.
#pragma once

#include <cstddef>

#include "runtime/controlled/operations.h"
#include "runtime/controlled/task.h"

namespace heddle::controlled {

// A timer was made whose function is to have that much of a stack (0: the usual): there is somebody to call it.
void provide_caller(std::size_t stack_size, Caller caller);

// One of those threads, and it has nothing to do: the program knows nothing of it.
bool waits_for_call(const Task& task);

}  // namespace heddle::controlled
