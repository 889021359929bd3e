// The thread sleeps (ConTest 2002: "blocked for a randomly selected period of time"; give an
// interval for that). Strength in milliseconds.
#pragma once

#include "noise/heuristic.h"

namespace heddle {

Seeding& sleep_seeding();

}  // namespace heddle
