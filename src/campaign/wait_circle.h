// Whether threads that wait for ever wait for each other. Locks have holders; a semaphore is held by who took more of it
// than it gave back, if it ever gives back; who waits for a condition waits for the threads that made it so: that
// have changed what it looked at, and not changed it back; and who waits for a result, for the thread that gives it in a run that
// goes well.
#pragma once

#include <span>

#include "contract/event.h"
#include "contract/run_outcome.h"

namespace heddle::campaign {

// `passing`: a run that goes well, to see who gives; may be empty.
bool wait_in_circle(std::span<const BlockedThread> blocked, std::span<const Event> failing,
                    std::span<const Event> passing);

}  // namespace heddle::campaign
