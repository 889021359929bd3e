// What metrics remember of a variable: one record for all of them, found once per access.
//
// A variable is what one access touches: the bytes from its first address on, within eight. Memory that is handed out again is
// another variable.
#pragma once

#include "analysis/eraser_state.h"
#include "analysis/shadow.h"
#include "contract/event.h"

namespace heddle {

struct PastAccess {
  std::uint64_t place;   // 0: none
  std::uint64_t thread;  // abstract
  ThreadId by;
  EventKind kind;
};

// AVIO's: the last access of one thread, and the last of another thread since.
struct LocalAccess {
  LocalAccess* next;
  PastAccess local;
  PastAccess remote;
};

struct Variable {
  std::uint64_t object;  // abstract
  std::uint32_t next;    // for the shadow
  std::uint8_t mask;
  PastAccess write;  // the last one
  PastAccess last;   // the last access of any kind
  EraserVariable eraser;
  std::uint64_t transfers;  // Goldilocks: where the list ended at the last access
  std::uint64_t lock;       // held at the last access; 0: none
  LocalAccess* accesses;    // one per thread
};

}  // namespace heddle
