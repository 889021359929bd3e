// Locks in a child that the program forked: what another thread held then, nobody unlocks there.
//
// The child itself is not under control. It has a copy of the engine as it was at the fork, and the control block.
#pragma once

#include <pthread.h>

#include "contract/event.h"
#include "contract/ids.h"

namespace heddle::controlled {

struct Task;

// By the thread that forks, which has control, before and after.
void note_fork(const Task& self);
void forget_fork();
// In the child.
void begin_forked_child();

// True in a child that a controlled run forked.
extern bool g_in_forked_child;

// Before the child waits for such a lock. If it would wait for ever, and the program has come to rest, this is the end of the
// run: a deadlock. Otherwise they return, and the real call is made.
void before_mutex_in_child(const pthread_mutex_t& mutex, void* caller);
void before_rwlock_in_child(const pthread_rwlock_t& lock, EventKind kind, void* caller);

}  // namespace heddle::controlled
