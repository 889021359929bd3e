// Where a thread is when something happens: its call stack and the locks it holds. Kept once, known by a number that fits
// into the spare bits of a place that has not been looked up yet (detection.h), so that detectors carry it without knowing.
// Threads may ask at the same time. What does not fit is number 0: nothing is known.
#pragma once

#include <cstddef>
#include <cstdint>

#include "analysis/lock_stacks.h"
#include "base/arena.h"
#include "contract/control_block.h"
#include "runtime/fast/fast_state.h"

namespace heddle::runtime {

using ContextNumber = std::uint16_t;

struct Context {
  static constexpr std::size_t kFrames = kStackFrames - 1;  // the place itself is the first
  static constexpr std::size_t kLocks = kStackLocks;

  void* frames[kFrames];  // call sites, innermost first
  std::uint64_t locks[kLocks];
  SiteId lock_sites[kLocks];
  std::uint32_t hash;
  ContextNumber next;  // with the same hash
  std::uint8_t frame_count;
  std::uint8_t lock_count;
  std::uint16_t shared_locks;  // as in StackRecord
};

void begin_contexts(Arena::Map map, std::uint64_t memory);

// Of the calling thread, which holds these locks.
ContextNumber context_now(const LockStacks::Stack& held);
// A place that has not been looked up yet is a return address with these: a mark (module numbers stay far below the top bit),
// and between it and the address (addresses end below bit 47) the number of a context.
inline constexpr std::uint64_t kToFind = std::uint64_t{1} << 63;
inline constexpr unsigned kContextShift = 47;
inline constexpr std::uint64_t kAddress = (std::uint64_t{1} << kContextShift) - 1;

constexpr ContextNumber context_of(std::uint64_t site) {
  return (site & kToFind) == 0 ? ContextNumber{0}
                               : static_cast<ContextNumber>(site >> kContextShift & 0xffff);
}

// The thread is still where it was when it last asked, and locks_changed() was not called since.
inline bool in_same_context() {
  const FastState& fast = heddle_fast_state_v6;
  return fast.stack_top == fast.context_top && fast.stack_low >= fast.context_top;
}
// The same as context_now, cheaper in that case. held() gives its locks.
template <class Held>
ContextNumber context_again(Held&& held) {
  return in_same_context() ? context_of(heddle_fast_state_v6.context_site) : context_now(held());
}
// No stack has its top there.
inline void** const kNowhere = reinterpret_cast<void**>(1);
inline void locks_changed() { heddle_fast_state_v6.context_top = kNowhere; }
// Instead, where that is all that has changed: `lock` is the last of what it holds now, taken at `site`, whose context was that
// of the thread; or was what it holds now given back.
void lock_added(const LockStacks::Stack& held, std::uint64_t lock, SiteId site);
void lock_removed(std::uint64_t lock);

// Null for 0.
const Context* find_context(ContextNumber number);

// Where heap blocks were allocated and threads created.
void note_block_context(const void* block, ContextNumber context);
ContextNumber block_context(const void* block);
void note_creation_context(ThreadId thread, ContextNumber context);
ContextNumber creation_context(ThreadId thread);

}  // namespace heddle::runtime
