// Which events are concurrent ones, in ConTest's sense: other threads can see them or be seen by
// them. Only there may noise go, and only they tell of a switch. Not function entry, not
// allocation, nor what ends or replaces the process.
#pragma once

#include "contract/event.h"

namespace heddle {

constexpr bool is_concurrent(EventKind kind) {
  switch (kind) {
    case EventKind::none:
    case EventKind::thread_start:  // the thread's first own event follows at once
    case EventKind::clock_read:
    case EventKind::function_enter:
    case EventKind::function_exit:
    case EventKind::allocate:
    case EventKind::exec:
    case EventKind::process_exit:
    case EventKind::signal:
      return false;
    default:
      return true;
  }
}

}  // namespace heddle
