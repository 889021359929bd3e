// Which locks threads hold, as a trace tells it.
#pragma once

#include <span>
#include <vector>

#include "analysis/lock_stacks.h"
#include "contract/event.h"

namespace heddle::campaign {

// It got the lock: a try or a timed wait may not have.
bool takes_lock(const Event& event);
bool gives_lock(EventKind kind);

struct HeldLock {
  ObjectId lock;
  LockMode mode;
};
using HeldLocks = std::vector<HeldLock>;  // in the order in which they were taken

// What the thread of the event, which held these, holds after it.
void follow_locks(HeldLocks& held, const Event& event);

// By event: the locks its thread held when it happened.
std::vector<HeldLocks> held_locks(std::span<const Event> events);

// Some lock keeps the two apart: held by both, and not by both to read.
bool kept_apart(const HeldLocks& a, const HeldLocks& b);

}  // namespace heddle::campaign
