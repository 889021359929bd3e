#include "campaign/compare/interval.h"

#include <algorithm>
#include <cmath>

namespace heddle::campaign {

Interval wilson_95(std::uint64_t hits, std::uint64_t tries) {
  if (tries == 0) return {};
  constexpr double kZ = 1.959963984540054;
  const double n = static_cast<double>(tries);
  const double p = static_cast<double>(hits) / n;
  const double scale = 1 + kZ * kZ / n;
  const double middle = (p + kZ * kZ / (2 * n)) / scale;
  const double half = kZ / scale * std::sqrt(p * (1 - p) / n + kZ * kZ / (4 * n * n));
  // Exact at the ends, where rounding would leave a trace.
  return {hits == 0 ? 0.0 : std::max(0.0, middle - half),
          hits == tries ? 1.0 : std::min(1.0, middle + half)};
}

}  // namespace heddle::campaign
