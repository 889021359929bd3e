// The thread's priority changes (ConTest 2002: "executed with some probability"; Fiedor et al.
// 2014, §4.2: the strength says by how much). Up or down alike, but never above what the thread
// started with, for which Linux would ask for a privilege: levels are nice values, 0 to 19. A
// change that leads out of that range turns round.
#pragma once

#include "noise/heuristic.h"

namespace heddle {

Seeding& priority_seeding();

}  // namespace heddle
