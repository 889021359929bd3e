// Which events count as passing a place: concurrency primitives and accesses to variables, each once.
#pragma once

#include "analysis/effect.h"

namespace heddle {

constexpr bool passes(const Event& event) {
  switch (event.kind) {
    case EventKind::none:
    case EventKind::function_enter:
    case EventKind::function_exit:
    case EventKind::allocate:
    case EventKind::clock_read:
    case EventKind::thread_start:  // have no place in the program's text
    case EventKind::thread_exit:
      return false;
    default:
      break;
  }
  // Those that last are passed when they begin.
  const bool lasts =
      is_wait(event.kind) || event.kind == EventKind::barrier_wait || event.kind == EventKind::once;
  return (event.phase == EventPhase::before) == lasts;
}

}  // namespace heddle
