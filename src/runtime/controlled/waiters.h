// Who waits for an object inside the engine.
#pragma once

#include <cstddef>

#include "runtime/controlled/engine.h"

namespace heddle::controlled {

// Tasks parked in `ready` on `object` that nobody notified yet, in order of arrival, those in whose wait a handler runs included.
// Room for kMaxThreads.
std::size_t collect_waiters(const void* object, bool (*ready)(const Task&), ThreadId* waiters);
// One of these is notified.
void notify(ThreadId waiter, const void* object, bool (*ready)(const Task&));

}  // namespace heddle::controlled
