// Virtual time must not outrun those who act in real time: threads outside control, children, whoever else may fill a descriptor. Who
// polls until one of them answers, and has a limit, would come to the limit at once.
#pragma once

#include <cstdint>

#include "runtime/controlled/task.h"

namespace heddle::controlled {

struct Intent;

// Of those that somebody_outside() means. Who waits inside for what only our own threads bring does not count, and virtual time
// passes beside it as ever.
bool somebody_acts_in_real_time();

// Real time that has passed since the last question; none at the first one after end_of_pace().
std::uint64_t real_time_passed();
void end_of_pace();

// The calling thread has asked for a child's end, or for what a child may bring, and there was nothing.
void note_asked_in_vain();
// Its sleep is a part of asking a child that still runs: it has asked in vain since its last one, or has looked at memory that the
// child has, too. To be asked once for each sleep.
bool sleeps_for_child(const Task& self, const void* caller);
// For a sleep that does; ends like any wait for the world (world_waits.h).
void begin_sleep_for_child(Task& self, Intent& intent);
// Nobody is left to be waited for: their sleeps go on in virtual time. True if there are some.
bool release_from_real_time();

}  // namespace heddle::controlled
