// Threads about to touch the same variable are held and then let go together, in the hope of a data
// race; the wait is timed, or a lonely one would never end (Fiedor et al. 2014, §4.2, after
// Ben-Asher et al. 2003). Variables only: synchronisation holds threads by itself. Strength: the
// longest wait in milliseconds.
#pragma once

#include "noise/heuristic.h"

namespace heddle {

Seeding& barrier_seeding();

}  // namespace heddle
