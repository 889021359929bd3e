// All threads but this one stop, at their next event, and it gets as far as it can (Fiedor et al.
// 2014, §4.2). The strength is the number of operations it may execute meanwhile, as in §4.4.1.
#pragma once

#include "noise/heuristic.h"

namespace heddle {

Seeding& inverse_noise();

}  // namespace heddle
