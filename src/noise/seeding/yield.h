// The thread gives way, strength times in a row (ConTest 2002; the repetition is that of Fiedor et
// al. 2014, §4.2).
#pragma once

#include "noise/heuristic.h"

namespace heddle {

Seeding& yield_seeding();

}  // namespace heddle
