#include "noise/seeding/timeout_tamper.h"

#include "noise/heuristic.h"

namespace heddle {

std::uint64_t tamper_with_timeout(std::uint64_t nanoseconds, Strength remaining_percent,
                                  Prng& prng) {
  if (!prng.chance(1, 2)) return nanoseconds;
  return nanoseconds / 100 * draw(remaining_percent, prng);
}

}  // namespace heddle
