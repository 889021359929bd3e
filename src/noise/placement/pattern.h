// Before the second and every further access to a variable within one call of a function (Fiedor et
// al. 2014, §4.1): if the accesses were meant to be atomic, another thread gets time to come
// between. Also inside critical sections, to test whether they are what they should be.
//
// Ours: a call remembers its last 128 variables, by hash; what it forgets is a first access again.
// Without function events a thread is one long call.
#pragma once

#include "noise/heuristic.h"

namespace heddle {

Placement& pattern_placement();

}  // namespace heddle
