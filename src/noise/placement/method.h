// ConTest's first coverage model decides (Edelstein et al. 2002): for every method, was its
// execution interrupted by a context switch? Noise goes into methods that never were; once one was,
// it is left alone, so that both tasks of the model get covered.
//
// As in the paper's note 19, a switch is seen when the thread of this event is not that of the last
// one; interrupted are the functions the thread has been in since before its own last event. The
// paper looks back at earlier runs; here this run counts too.
#pragma once

#include "noise/heuristic.h"

namespace heddle {

Placement& method_placement();

}  // namespace heddle
