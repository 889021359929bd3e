#include "noise/seeding/timeout_tamper.h"

#include "noise/heuristic.h"

namespace heddle {

std::uint64_t tamper_with_timeout(std::uint64_t nanoseconds, Strength remaining_percent,
                                  Prng& prng) {
  const std::uint64_t lot = prng.below(4);
  if (lot == 0) return nanoseconds;
  const std::uint64_t percent = lot == 1 ? draw(remaining_percent, prng) : remaining_percent.low;
  // Divided first where the product would not fit; what is lost there is nothing to such a length.
  return nanoseconds < (std::uint64_t{1} << 56) ? nanoseconds * percent / 100
                                                : nanoseconds / 100 * percent;
}

}  // namespace heddle
