// Lock orders in the store: the edges that any campaign saw of a program.
#pragma once

#include "campaign/lock_graph.h"
#include "campaign/store/store.h"

namespace heddle::campaign {

// What is new in the graph since the last call. Inside a transaction of the caller's.
Result<void> put_lock_edges(Store& store, LockGraph& graph);
// What all campaigns of this program saw, in the order in which they wrote it.
Result<void> load_lock_edges(Store& store, LockGraph& graph);

}  // namespace heddle::campaign
