// What noise keeps for each program thread. Plain data in the engine's thread record; all zero is a
// new thread.
#pragma once

#include <cstdint>

#include "noise/call_frames.h"
#include "noise/held_locks.h"

namespace heddle {

struct ThreadNoise {
  // The mixer's countdown: places still to be left alone. Meaningless until armed.
  std::uint64_t skip;
  bool armed;
  // Budget: when and at which event the thread last asked.
  std::uint64_t asked_at;
  std::uint64_t step_then;
  std::uint8_t back_off;
  std::uint64_t pause;  // places to pass before it asks again, on top of the gap
  // seeding/priority.h: the level this thread was last given.
  std::uint32_t priority;
  // How often this thread was disturbed at a site, by the site's hash: places disturbed often are
  // backed off from.
  std::uint8_t often[64];
  // What placements follow; each updates the parts it needs.
  HeldLocks locks;
  CallFrames frames;
  // placement/pattern.h: variables touched in the function the thread is in, by hash.
  std::uint64_t touched[128];
  // placement/method.h, method_pair.h: as of this thread's last event.
  std::uint64_t calls_then;
  std::uint64_t function_then;
  std::uint64_t position_then;
  bool had_event;
  // placement/sync.h: where the lock was taken that this thread is about to give back; 0: none.
  std::uint64_t released_site;
  // For RunOutcome and for tests.
  std::uint64_t disturbed;
  std::uint64_t refused;  // by the budget
};

}  // namespace heddle
