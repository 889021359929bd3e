// The program's own sleeps and timed waits are shortened at random, to see whether a delay stands
// where synchronisation should (Fiedor et al. 2014, §4.2). Not a disturbance at an event: it
// changes the call itself, so the engine asks NoiseMixer::shorten() at each one.
//
// Strength: the share of the time that remains, in per cent, drawn afresh from the interval for
// each call. Ours: one call in four is left as it is, so that combinations of short and full waits
// occur too, and every second is as short as it gets, because a wait that is merely shorter still
// outlasts whatever others do at the machine's speed.
#pragma once

#include <cstdint>

#include "base/prng.h"
#include "contract/noise_settings.h"

namespace heddle {

std::uint64_t tamper_with_timeout(std::uint64_t nanoseconds, Strength remaining_percent,
                                  Prng& prng);

}  // namespace heddle
