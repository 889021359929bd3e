// Inside the engine: what condition waits need of mutexes, and the list of held locks.
#pragma once

#include <pthread.h>

#include "runtime/controlled/engine.h"

namespace heddle::controlled {

// The real lock would not block the task now.
bool mutex_is_free_for(const pthread_mutex_t& mutex, const Task& task);
// The same for a task whose wait_object is the mutex.
bool mutex_ready(const Task& task);
bool mutex_is_shared(const pthread_mutex_t& mutex);

// From now on, and in later runs from the start, there is a point before releases too: somebody looks at locks without
// waiting for them (trylock, timed locks, fork).
void want_release_points();

// A point before a release only matters to threads that try, or look at the clock meanwhile, and to noise.
void point_before_release(Task& self, const Intent& intent);

// After a point that says it is free: the real lock, with all that follows.
int take_mutex(Task& self, pthread_mutex_t* mutex, const Intent& intent);
int give_mutex(Task& self, pthread_mutex_t* mutex);

void note_held(Task& task, const void* lock);
void note_unheld(Task& task, const void* lock);
void note_failed_try(Task& task, const void* object);

}  // namespace heddle::controlled
