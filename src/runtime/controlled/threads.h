// Inside the engine: a thread's beginning and end.
#pragma once

#include "runtime/controlled/engine.h"

namespace heddle::controlled {

// How a thread's end is seen. Once per process, in the fork server if there is one.
void make_end_key();
// Called once per run for the main thread.
void prepare_thread_end(Task& main_task);

// The calling thread's stack has no history, and its plain accesses are looked at from now on.
void begin_thread_accesses(Task& self);
// From the first thread creation on: the calling thread's accesses are looked at (level memory).
void watch_accesses(Task& self);

// Of a thread that nobody has joined; null if it is none of ours.
Task* find_task(pthread_t handle);
// No other thread of the program's lives.
bool is_alone(const Task& self);
// Of one that is there.
Task* find_thread(pid_t tid);

}  // namespace heddle::controlled
