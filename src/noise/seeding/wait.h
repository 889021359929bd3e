// A timed wait on a monitor that all threads share (Fiedor et al. 2014, §4.2: the thread must first
// obtain it, then waits with a timeout, then releases it). The monitor orders memory between
// disturbed threads, which a sleep does not. Strength in milliseconds.
#pragma once

#include "noise/heuristic.h"

namespace heddle {

Seeding& wait_seeding();

}  // namespace heddle
