// What the calling thread did since it last synchronised. Whoever looks at order alone (fasttrack) learns nothing from the same
// access made again, so the free engine need not wait for its turn to show it.
#pragma once

#include <cstddef>

#include "contract/event.h"

namespace heddle::runtime {

// True if the thread has made this access, or a write there, since then; notes it if not.
bool access_is_known(const void* address, std::size_t size, EventKind kind);

// The calling thread synchronised.
void forget_recent_accesses();
// Memory is somebody's afresh: no thread knows it.
void forget_everybodys_accesses();

}  // namespace heddle::runtime
