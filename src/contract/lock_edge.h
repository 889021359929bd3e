// The lock order of a run, so that the tool can put the orders of many runs together (campaign/lock_graph.h).
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "contract/event.h"
#include "contract/ids.h"

namespace heddle {

enum LockEdgeFlags : std::uint8_t {
  kEdgeHeldShared = 1u << 0,   // the lock that is held is held for reading
  kEdgeWantsShared = 1u << 1,  // the one that is taken is taken for reading
};

// A thread took `to` while it held `from`. Of conditions: see detect/goodlock.h.
inline constexpr std::size_t kEdgeGates = 12;
inline constexpr std::size_t kEdgeCalls = 8;
struct LockEdge {
  ObjectId from;
  ObjectId to;
  SiteId from_site;  // where `from` was taken
  SiteId site;
  std::uint32_t from_life;  // how often the memory had been made another lock before
  std::uint32_t to_life;
  std::uint32_t creations;  // of the run's creation events, so many came before
  ThreadId thread;
  EventKind kind;
  std::uint8_t flags;  // LockEdgeFlags
  std::uint8_t gate_count;
  std::uint8_t reserved[5];
  std::uint16_t shared_gates;  // a bit per gate: held for reading
  ObjectId gates[kEdgeGates];  // what else was held; of a signal, all that it was under
  SiteId calls[kEdgeCalls];    // that led to `site`, innermost first; 0 ends them
};
static_assert(std::has_unique_object_representations_v<LockEdge>);

// What orders threads as wholes: thread_create, thread_start, thread_exit, thread_join.
struct CreationEvent {
  ThreadId thread;
  ThreadId other;  // created or joined
  EventKind kind;
  std::uint8_t reserved[3];
};
static_assert(std::has_unique_object_representations_v<CreationEvent>);

inline constexpr std::size_t kLockEdgeCapacity = std::size_t{1} << 14;
inline constexpr std::size_t kCreationCapacity = std::size_t{1} << 13;

}  // namespace heddle
