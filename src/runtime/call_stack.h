// Function entry and exit for noise that follows calls (free engine). The access stubs keep a shadow stack of call sites
// but tell nobody; before an event is shown, what changed since the last one is caught up with.
#pragma once

#include <cstddef>

namespace heddle::runtime {

// From now on the calling thread's shadow stack is kept.
void keep_call_stack();

// Calls left(n) for frames that were left since the last time, then entered(call site) for each new one, outermost first.
template <class Left, class Entered>
void catch_up_with_calls(Left&& left, Entered&& entered);

struct CallStack {
  static constexpr std::size_t kMostShown = 64;  // deeper frames count as part of the last one

  void* shown[kMostShown];
  std::size_t depth;
  void** base;  // null: not kept
};
CallStack& call_stack();
// The frames kept now, outermost first; at most kMostShown count.
std::size_t calls_now(void**& frames);

template <class Left, class Entered>
void catch_up_with_calls(Left&& left, Entered&& entered) {
  CallStack& stack = call_stack();
  if (stack.base == nullptr) return;
  void** frames = nullptr;
  const std::size_t now = calls_now(frames);
  std::size_t same = 0;
  while (same < now && same < stack.depth && frames[same] == stack.shown[same]) ++same;
  for (std::size_t i = stack.depth; i > same; --i) left();
  for (std::size_t i = same; i < now; ++i) {
    stack.shown[i] = frames[i];
    entered(frames[i]);
  }
  stack.depth = now;
}

}  // namespace heddle::runtime
