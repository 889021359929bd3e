// From addresses of this run to identities that survive it (contract/ids.h).
#pragma once

#include <cstddef>
#include <cstdint>

#include "contract/ids.h"

namespace heddle::runtime {

// Reads the list of loaded modules into the control block; again after dlopen. Order is load order; a module keeps its
// index once it has one. Our own library and the vDSO are not listed. ModuleRecord::base is what must be subtracted from
// an address to get the ELF file's own: 0 for an executable that is not position-independent.
void note_modules();
// After dlclose: the list is read again before it is next used.
void forget_modules();

// The site is the call's last byte (return_address - 1), as the ELF file numbers it: it can be looked up in the file's line
// table as it stands. Unknown (0) for code outside any file, such as a JIT's.
SiteId site_of(const void* return_address);

// Global (module data), heap block, stack of a known thread, else the address itself.
ObjectId object_of(const void* address);

// How often answers of these two may have changed for what is no heap block: with modules and stacks. And for what is one, or
// has no name.
extern std::uint64_t g_places_changed;
inline void note_places_changed() { __atomic_fetch_add(&g_places_changed, 1, __ATOMIC_RELAXED); }
std::uint64_t blocks_changed();

// The reverse for a learned object, as far as it exists now: a global's address, a heap block's or a stack's; 0 if none.
std::uint64_t address_of(ObjectId object);

// True while blocks are to be noted: the plan has a use for them. Allocation entry points test nothing else.
extern bool g_note_heap;

// In the fork server: makes what the first notes of every run will touch.
void prepare_heap_notes();
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
  std::uint16_t calls;   // allocation_calls.h
  std::uint32_t number;  // top bit: the tool has been told about it
};
// The live block that contains the address, or null.
const HeapBlock* find_block(const void* address);
// The address lies in one of the blocks given back last, and nothing else is known to be there now.
bool is_freed(const void* address);

}  // namespace heddle::runtime
