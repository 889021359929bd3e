// Every place alike: noise at each concurrent event with the same chance (ConTest 2002, "seeding";
// rstest 2002; called random-all by Fiedor et al. 2014, §4.1). The chance is the mixer's frequency,
// so there is nothing to decide here.
#pragma once

#include "noise/heuristic.h"

namespace heddle {

Placement& random_all();

}  // namespace heddle
