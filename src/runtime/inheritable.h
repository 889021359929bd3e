// Around starting another program, which inherits what its thread is: for as long, that is as it would be without us.
#pragma once

#include "runtime/affinity.h"
#include "runtime/ticks.h"

namespace heddle::runtime {

struct Inheritable {
  Unpinned processor;
  RealTicks ticks;
};

}  // namespace heddle::runtime
