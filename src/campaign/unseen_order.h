// Threads whose waiting for each other heddle does not see: those of OpenMP's runtimes, which wait in the kernel by
// instructions of their own and keep their state in atomics of their own. What such a thread does may be ordered all the same, so
// no race with it is claimed.
#pragma once

#include "campaign/run_record.h"
#include "contract/finding.h"

namespace heddle::campaign {

// The finding is about accesses, and one of its threads is such a one.
bool has_unseen_order(const Finding& finding, const RunRecord& record);

}  // namespace heddle::campaign
