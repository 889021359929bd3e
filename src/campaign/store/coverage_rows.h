// Coverage in the store: tasks of a program, and which campaign covered them when.
#pragma once

#include "campaign/coverage_tally.h"
#include "campaign/store/store.h"

namespace heddle::campaign {

// What changed in the tally since the last call. Inside a transaction of the caller's.
Result<void> put_coverage(Store& store, CoverageTally& tally);
// What this campaign had covered when it was left.
Result<void> load_coverage(Store& store, CoverageTally& tally);

}  // namespace heddle::campaign
