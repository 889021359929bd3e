// Threads that leave control: calls we do not model, descriptors that the world outside makes ready, and what the watchdog
// took control from. The others go on meanwhile; the order of coming back is recorded.
#pragma once

#include "runtime/controlled/engine.h"

namespace heddle::controlled {

// Threads that came back since the last point become candidates again, each as a recorded decision of `from`'s point.
extern std::uint32_t g_outside_count;  // threads that are outside, or wait to come back
void take_in_some(Task& from);
inline void take_in_returned(Task& from) {
  if (g_outside_count != 0) [[unlikely]]
    take_in_some(from);
}

// Somebody may become able to run without any of our threads doing anything.
bool somebody_outside();

// Nothing can run for now: sleeps for real until somebody comes back, a descriptor is ready, or the next timer of the
// program is due (timers run in real time while the world outside is involved).
void wait_for_outside();

// Parks until this task has control again.
void wait_for_control(Task& self);

// What it allocated without control is told to those who have to know (memory.cpp).
void tell_fresh_blocks(Task& self);

// Installs the watchdog's signal handler (the tool sends kWatchdogSignal to a thread that makes no progress).
void arm_watchdog();
// What the watchdog could not do while the thread was in our own code. Call it where that is all a thread may ever be in.
void leave_as_asked(Task& self, void* caller);

}  // namespace heddle::controlled
