// rstest's visible operations only (Stoller 2002, §3.1): accesses to unprotected variables,
// synchronisation that may block, and operations whose effect is not determined (which waiter a
// signal wakes; whether a try succeeds). Other operations need no noise: whatever order they come
// in, a visible one tells it.
//
// A variable is unshared while one thread touches it, protected while all accesses after its
// initialisation are reads or share a lock, else unprotected, for good. Where we differ: rstest
// ends initialisation when a reference escapes, which a native program does not tell; here it ends
// at the second thread's first access (as in Eraser). And rstest classifies classes of objects and
// left locks for later; here each variable is classified, with locks.
#pragma once

#include "noise/heuristic.h"

namespace heddle {

Placement& unprotected_placement();

}  // namespace heddle
