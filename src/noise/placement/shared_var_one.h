// Accesses to one shared variable, drawn for each run from those known to be shared (Ben-Asher et
// al. 2003; Fiedor et al. 2014, §4.1).
//
// Where the papers draw from a list made beforehand, the list here may still grow during the run.
// So each variable has a random rank, from the run's seed and its identity, and the lowest known
// rank is the choice: uniform over the list, whatever the order in which it came to be.
#pragma once

#include "noise/heuristic.h"

namespace heddle {

Placement& shared_var_one();

}  // namespace heddle
