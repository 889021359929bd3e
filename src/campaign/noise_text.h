// The text of --noise: a list of key=value, read into settings and written back.
//
//   placement=random-all   where (noise/catalog.h); read/write if reads=, writes= or sync= is given
//   when=before            before, after or both
//   frequency=150          per mille of the places, 0..1000
//   seeding=sleep          how; none with one of the three below
//   strength=20            or 5..20, drawn afresh each time; without it, the seeding's usual one
//   reads=yield:10         placement read/write: a seeding with its strength for reads, writes and
//   writes=sleep:20@300    synchronisation, each with a frequency of its own after @ if wanted;
//   sync=none              one that is not given has the seeding above
//   haltOneThread=100      beside the seeding; the strength, or `on` for the usual one
//   inverseNoise=20
//   timeoutTamper=0..100
//   repeat=500             rstest's loop: after each disturbance another one with this chance, per
//                          mille
//   quiet=50:1000          chance, per mille, that an undisturbed stretch begins, and its events
//   budget=20%             how much longer the program may take (free engine)
//
// Two words stand alone: `none` for no noise, and `random` for a configuration drawn afresh for
// each run; what is given beside `random` holds in all of them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "contract/noise_settings.h"
#include "host/result.h"

namespace heddle {

// What the user asked for: the same noise in every run, or some of it drawn for each.
struct NoiseRequest {
  NoiseSettings settings;
  bool random = false;
  std::uint32_t given = 0;  // random: which parts are fixed; see noise_text.cpp
};

Result<NoiseRequest> parse_noise(std::string_view text);

// Depends on nothing but its arguments.
NoiseSettings noise_of_run(const NoiseRequest& request, std::uint64_t run_seed);

// Canonical: parse_noise() of it gives the same settings.
std::string noise_text(const NoiseSettings& settings);

// Why these settings make no sense together: a sentence, or nothing.
std::string noise_objection(const NoiseSettings& settings);

}  // namespace heddle
