// One thread stops until all others cannot make any further progress (Fiedor et al. 2014, §4.2,
// after Trainin et al. 2009). That it is one at a time, and that the others are stuck, only the
// engine can know (contract/disturbance.h). The strength, in milliseconds, is ours: the longest
// halt in an engine that cannot tell whether others still move.
#pragma once

#include "noise/heuristic.h"

namespace heddle {

Seeding& halt_one_thread();

}  // namespace heddle
