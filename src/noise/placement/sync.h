// Places of synchronisation whose coverage tasks are missing (Trainin et al. 2009; Fiedor et al.
// 2014, §4.1). Every place where a lock is taken has three tasks: visited, blocked (it waited for
// another thread), blocking (another thread waited for it). Noise before the lock is taken makes it
// more likely to be blocked, noise while it is held to be blocking: so it goes before the
// acquisition while `blocked` is missing, and after it or before the release while `blocking` is.
// Other synchronisation has one task, visited: its place is good for noise once.
//
// Blocked is a lock that another thread was seen to hold when it was asked for. In the free engine
// it may become free in between: close enough for a hint.
#pragma once

#include "noise/heuristic.h"

namespace heddle {

Placement& sync_placement();

}  // namespace heddle
