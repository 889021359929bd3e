// Letko's coverage-based placement (Letko, Vojnar, Křena 2012; Fiedor et al. 2014, §4.1). Two
// subsequent accesses to a variable from different threads are a couple; noise goes before the
// place of the first, so that next time the second may come earlier. If a lock is held at both,
// noise there would only be waited for: it goes before the operation that took that lock for the
// first access. The more often a place is executed, the less likely it gets noise.
//
// Ours: couples are learned in the run itself, or come from earlier ones. A lock that both hold as
// readers does not count. The first ten executions of a place are all good for noise; after n of
// them one is with a chance of 10 in n.
#pragma once

#include "noise/heuristic.h"

namespace heddle {

Placement& coverage_placement();

}  // namespace heddle
