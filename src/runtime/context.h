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
// Where the calling thread last was, for the next two.
struct LastContext {
  void** top;  // of the call stack then
  ContextNumber number;
  bool same_locks;
};
extern constinit thread_local LastContext t_last_context;

// The same, cheaper where the thread is still where it was when it last asked, unless locks_changed() was called since.
// held() gives its locks.
template <class Held>
ContextNumber context_again(Held&& held) {
  const LastContext& last = t_last_context;
  const FastState& fast = heddle_fast_state_v2;
  if (last.same_locks && fast.stack_top == last.top && fast.stack_low >= last.top) {
    return last.number;
  }
  return context_now(held());
}
inline void locks_changed() { t_last_context.same_locks = false; }

// Null for 0.
const Context* find_context(ContextNumber number);

// Where heap blocks were allocated and threads created.
void note_block_context(const void* block, ContextNumber context);
ContextNumber block_context(const void* block);
void note_creation_context(ThreadId thread, ContextNumber context);
ContextNumber creation_context(ThreadId thread);

}  // namespace heddle::runtime
