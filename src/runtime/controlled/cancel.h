// Deferred cancellation: a cancelled thread goes on from any cancellation point it is parked in, and ends there.
#pragma once

#include "runtime/controlled/engine.h"

namespace heddle::controlled {

// Ends the thread if it was cancelled and allows it. Call outside InRuntime: cleanup handlers run from here.
void act_on_cancellation(Task& self);

}  // namespace heddle::controlled
