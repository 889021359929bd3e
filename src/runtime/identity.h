// From addresses of this run to identities that survive it (contract/ids.h).
#pragma once

#include <cstddef>
#include <cstdint>

#include "contract/ids.h"

namespace heddle::runtime {

// Reads the list of loaded modules into the control block; again after dlopen. Order is load order.
void note_modules();

SiteId site_of(const void* return_address);

// Global (module data), heap block, stack of a known thread, else the address itself.
ObjectId object_of(const void* address);

// The reverse for a learned object, as far as it exists now: a global's address, a heap block's or a stack's; 0 if none.
std::uint64_t address_of(ObjectId object);

// Heap registry: O(1), own memory. `n` counts allocations by this thread at this site.
void note_allocation(void* block, std::size_t size, const void* caller);
// Returns the block's size, 0 if unknown.
std::size_t note_release(void* block);

struct HeapBlock {
  std::uint64_t start;
  std::uint64_t size;
  std::uint64_t hash;  // goes into the ObjectId
  SiteId site;
  ThreadId thread;
  std::uint32_t number;
};
// The live block that contains the address, or null.
const HeapBlock* find_block(const void* address);

}  // namespace heddle::runtime
