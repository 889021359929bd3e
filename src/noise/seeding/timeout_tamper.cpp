#include "noise/seeding/timeout_tamper.h"

#include "noise/heuristic.h"

namespace heddle {

std::uint64_t tamper_with_timeout(std::uint64_t nanoseconds, Strength remaining_percent,
                                  Prng& prng) {
  if (!prng.chance(1, 2)) return nanoseconds;
  const bool shortest = prng.chance(1, 2);
  const std::uint64_t percent = shortest ? remaining_percent.low : draw(remaining_percent, prng);
  // Divided first where the product would not fit; what is lost there is nothing to such a length.
  return nanoseconds < (std::uint64_t{1} << 56) ? nanoseconds * percent / 100
                                                : nanoseconds / 100 * percent;
}

}  // namespace heddle
