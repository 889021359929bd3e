// How many tasks there are that no run has covered yet, judged by how many only one or two runs did.
//
// Chao's estimator for incidence data (Chao, Biometrics 43, 1987; "Chao2"), bias-corrected, with its log-normal interval, and Good's
// estimate of the chance that the next run covers something new (Good, Biometrika 40, 1953).
#pragma once

#include <cstdint>
#include <string>

namespace heddle::campaign {

struct SpeciesCounts {
  std::uint64_t seen = 0;
  std::uint64_t once = 0;   // in exactly one run
  std::uint64_t twice = 0;  // in exactly two
  std::uint64_t runs = 0;
};

struct SpeciesEstimate {
  double unseen = 0;
  double low = 0;  // of a 95 % interval
  double high = 0;
  double chance_of_new = 0;  // that the next run covers at least one more, at most
};

SpeciesEstimate estimate_species(const SpeciesCounts& counts);

// "about 4 more are likely unseen (1 to 15)".
std::string unseen_text(const SpeciesEstimate& estimate);

}  // namespace heddle::campaign
