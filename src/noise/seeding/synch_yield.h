// Yields while holding a monitor that all disturbed threads need (Fiedor et al. 2014, §4.2:
// "combines the yield heuristic with obtaining a monitor"). Strength in yields.
#pragma once

#include "noise/heuristic.h"

namespace heddle {

Seeding& synch_yield();

}  // namespace heddle
