// Function entry and exit for noise that follows calls. The access stubs keep a shadow stack of call sites
// but tell nobody; before an event is shown, what changed since the last one is caught up with.
#pragma once

#include <cstddef>
#include <cstdint>

#include "contract/run_outcome.h"

namespace heddle::runtime {

// From now on the calling thread's shadow stack is kept.
void keep_call_stack();
// The same in memory of the caller's: room for `count` frames, some of them below the bottom.
void keep_call_stack_in(void** memory, std::size_t count);
// The thread ends: another may have the memory, and this one keeps no stack any more.
void give_call_stack_back();

// Calls left(n) for frames that were left since the last time, then entered(call site) for each new one, outermost first.
template <class Left, class Entered>
void catch_up_with_calls(Left&& left, Entered&& entered);

struct CallStack {
  static constexpr std::size_t kMostShown = 64;  // deeper frames count as part of the last one

  std::size_t depth;
  void** base;  // null: not kept
};
CallStack& call_stack();
// The calling thread's, for others to look at while it waits.
struct WatchedCalls {
  const CallStack* stack;
  void** const* top;
};
WatchedCalls watched_calls();
// What that thread is in now.
OperationCalls calls_of(const WatchedCalls& calls);
// The frames kept now, outermost first; at most kMostShown count.
std::size_t calls_now(void**& frames);

// A frame that was shown carries a mark, which the stub overwrites when the function is left and entered again: so a second
// call from the same place is told from the first. No address of a program has the top bit.
inline constexpr std::uint64_t kShown = std::uint64_t{1} << 63;
inline bool was_shown(const void* frame) {
  return (reinterpret_cast<std::uint64_t>(frame) & kShown) != 0;
}
inline void* mark_shown(const void* frame) {
  return reinterpret_cast<void*>(reinterpret_cast<std::uint64_t>(frame) | kShown);
}

template <class Left, class Entered>
void catch_up_with_calls(Left&& left, Entered&& entered) {
  CallStack& stack = call_stack();
  if (stack.base == nullptr) return;
  void** frames = nullptr;
  const std::size_t now = calls_now(frames);
  std::size_t same = 0;
  while (same < now && same < stack.depth && was_shown(frames[same])) ++same;
  for (std::size_t i = stack.depth; i > same; --i) left();
  for (std::size_t i = same; i < now; ++i) {
    entered(frames[i]);
    frames[i] = mark_shown(frames[i]);
  }
  stack.depth = now;
}

}  // namespace heddle::runtime
