// What the engine remembers of an object by its address: its version (for the schedule hash), the clock it carries (for
// happens-before). Created on first use; bounded; past the bound objects share the
// last entry, which costs precision of the hash and of classification, never a wrong verdict.
#pragma once

#include <cstdint>

#include "contract/control_block.h"
#include "contract/ids.h"
#include "runtime/controlled/vector_clock.h"

namespace heddle::controlled {

struct SyncEntry {
  std::uint64_t address;  // 0: free
  std::uint64_t version;  // hash of the last event that changed it
  Clock released;         // what an acquirer learns
};

void begin_sync_table();
SyncEntry& sync_entry(const void* address);
// Null if the object was never seen.
SyncEntry* find_sync(const void* address);

}  // namespace heddle::controlled
