// Who is ordered before whom (happens-before), as the primitives establish it: feeds classification.h.
#pragma once

#include "contract/event.h"
#include "runtime/controlled/task.h"
#include "runtime/controlled/vector_clock.h"

namespace heddle::controlled {

Clock& begin_clock(Clock& clock, std::uint32_t thread);
inline Clock& clock_of(Task& task) {
  return task.clock.size > task.id.value ? task.clock : begin_clock(task.clock, task.id.value);
}

// The task learns what was released into the object; publishes what it knows there (replacing or joining what was
// there) and begins a new phase.
void acquire(Task& task, const void* object);
void release(Task& task, const void* object);
void release_join(Task& task, const void* object);

// Thread edges.
void order_create(Task& parent, Task& child);
void order_join(Task& joiner, Task& ended);

// Atomics by their memory orders, fences included. Before the program's own operation for stores, after it for loads.
void order_atomic(Task& task, const void* object, EventKind kind, MemoryOrder order, bool stored);
void order_fence(Task& task, MemoryOrder order);

}  // namespace heddle::controlled
