// ConTest's second coverage model decides (Edelstein et al. 2002): a pair (A, B) is covered when A
// was interrupted and, before control came back, B ran in a different thread. Noise goes into
// functions that some known function has not interrupted yet.
//
// A is the function of the thread's last event before the switch, B any function that another
// thread was in at an event since. Ours: functions that ran while there was only one thread do not
// count as possible B (the paper leaves such uncoverable tasks to heuristics it omits), and at most
// the last 64 events of others are looked back on.
#pragma once

#include "noise/heuristic.h"

namespace heddle {

Placement& method_pair();

}  // namespace heddle
