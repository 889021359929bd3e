// Which plain accesses are scheduling points (rstest's unshared / protected / unprotected, by happens-before).
//
// Every 8 bytes of the program have a 16-bit cell. A *phase* is a stretch of one thread between two of its releases (unlock,
// post, create, release store); its number, shifted left by one, is in the cell of a location that the phase had for
// itself, with bit 0 set once it was written. An access in the same phase passes in the stub (fast_state.h). Otherwise:
//
//   cell of an earlier phase that is ordered before us   the location is ours now: unshared, or handed over properly
//   both only read                                       kReadShared: reads pass, a write makes it racing
//   else                                                 kRacing: every access is a scheduling point, for good, and the object
//                                                        goes to the point area, so that later runs know it from the start
//
// When the 32,000 phase numbers are used up, all cells but racing ones are forgotten and numbering starts again.
#pragma once

#include <cstddef>
#include <cstdint>

#include "contract/event.h"
#include "runtime/controlled/task.h"

namespace heddle::controlled {

inline constexpr std::uint16_t kVirgin = 0;
inline constexpr std::uint16_t kReadShared = 0xfffc;
inline constexpr std::uint16_t kRacing = 0xfffe;

// Maps the shadow, if that was not done before the fork. False if the kernel refuses.
bool map_cells();

// Marks the racing objects earlier runs learned. False if the map was refused: then every access
// of a program with more than one thread is a point. `memory`: most bytes for cells; past that all but racing ones are forgotten.
bool begin_classification(std::uint64_t memory);

// The task released something (or just began): accesses from now on belong to a new phase.
void begin_phase(Task& task);

// The number of the phase that the task is in.
std::uint16_t phase_of(const Task& task);

// A thread that gets control again: numbering may have started over meanwhile.
void refresh_phase(Task& self);

// Is this access a scheduling point? Updates the cells.
bool is_point(Task& task, const void* address, std::size_t size, bool writes);

// Memory is somebody else's from now on: a fresh block or stack has no history. Learned points in it are marked.
void reset_cells(const void* start, std::size_t size);
void mark_learned_in_block(const void* block, std::size_t size);
void mark_learned_on_stack(const Task& task);

}  // namespace heddle::controlled
