#include "campaign/species.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

namespace heddle::campaign {

SpeciesEstimate estimate_species(const SpeciesCounts& counts) {
  SpeciesEstimate estimate;
  if (counts.runs == 0 || counts.seen == 0) return estimate;
  const auto runs = static_cast<double>(counts.runs);
  const auto once = static_cast<double>(counts.once);
  const auto twice = static_cast<double>(counts.twice);
  const double share = (runs - 1) / runs;
  estimate.unseen = once < 2 ? 0 : share * once * (once - 1) / (2 * (twice + 1));
  estimate.chance_of_new = std::min(1.0, once / runs);
  // The variance of the bias-corrected form (Chao and Colwell, as in EstimateS).
  const double variance =
      share * once * (once - 1) / (2 * (twice + 1)) +
      share * share * once * (2 * once - 1) * (2 * once - 1) / (4 * (twice + 1) * (twice + 1)) +
      share * share * once * once * twice * (once - 1) * (once - 1) / (4 * std::pow(twice + 1, 4));
  if (estimate.unseen <= 0) {
    // Nobody is rare: if anything is left, it is rarer than one run in all that were made.
    estimate.high = once > 0 ? std::ceil(3 * once) : 0;
    return estimate;
  }
  const double spread =
      std::exp(1.96 * std::sqrt(std::log(1 + variance / (estimate.unseen * estimate.unseen))));
  estimate.low = estimate.unseen / spread;
  estimate.high = estimate.unseen * spread;
  return estimate;
}

std::string unseen_text(const SpeciesEstimate& estimate) {
  const auto whole = [](double value) { return static_cast<std::uint64_t>(std::llround(value)); };
  if (whole(estimate.high) == 0) return "nothing suggests that there are more";
  if (whole(estimate.unseen) == 0) {
    return fmt::format("probably all there are ({} more at most)", whole(estimate.high));
  }
  return fmt::format("about {} more are likely unseen ({} to {})", whole(estimate.unseen),
                     whole(estimate.low), whole(estimate.high));
}

}  // namespace heddle::campaign
