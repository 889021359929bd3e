// One of yield, sleep, wait, busyWait and synchYield, drawn at each place (Fiedor et al. 2014,
// §5.4.1). They share one strength: milliseconds of the ones that take time, times of the ones that
// yield.
#pragma once

#include "noise/heuristic.h"

namespace heddle {

Seeding& mixed_seeding();

}  // namespace heddle
