// Accesses to shared variables, and nothing else (Ben-Asher et al. 2003; Fiedor et al. 2014, §4.1).
// The papers know from outside which variables are shared; here a variable is shared from the
// moment a second thread touches it, in this run or in an earlier one.
#pragma once

#include "noise/heuristic.h"

namespace heddle {

Placement& shared_var_all();

}  // namespace heddle
