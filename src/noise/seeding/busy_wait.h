// The thread loops for a while and keeps its processor (Fiedor et al. 2014, §4.2: "does not obtain
// a monitor but instead loops for some time"). Strength in milliseconds.
#pragma once

#include "noise/heuristic.h"

namespace heddle {

Seeding& busy_wait();

}  // namespace heddle
