// What noise keeps for each program thread. Plain data in the engine's thread record; all zero is a
// new thread.
#pragma once

#include <cstdint>

namespace heddle {

struct ThreadNoise {
  // The mixer's countdown: places still to be left alone. Meaningless until armed.
  std::uint64_t skip;
  bool armed;
  bool clock_started;
  // Budget (mixer.h): in nanoseconds of the clock that the engine lent.
  std::uint64_t started_at;
  std::uint64_t spent;
  // seeding/priority.h: the level this thread was last given.
  std::uint32_t priority;
  // How often this thread was disturbed at a site, by the site's hash: places disturbed often are
  // backed off from.
  std::uint8_t often[64];
  // For RunOutcome and for tests.
  std::uint64_t disturbed;
  std::uint64_t refused;  // by the budget
};

}  // namespace heddle
