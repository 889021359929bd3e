// What detectors found, for the tool: places, objects and stacks in place of addresses and contexts. Stacks go to the control block.
#pragma once

#include "contract/finding.h"
#include "contract/lock_edge.h"

namespace heddle::runtime {

void translate(Finding& finding);
void translate(LockEdge& edge);

}  // namespace heddle::runtime
