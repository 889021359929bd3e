// Noise on virtual time: the same heuristics as in the free engine (src/noise), but a delay costs nothing and replays
// exactly: what noise does follows from the plan's seed, so a replay disturbs in the same places.
#pragma once

#include "runtime/controlled/engine.h"

namespace heddle::controlled {

// Once per run; nothing happens if the plan asks for no noise.
void begin_noise();

// Asks noise about the event `self` is about to do (or has done), and carries out what it wants.
void disturb(Task& self, const Intent& intent, EventPhase phase);

// timeoutTamper: when a timed operation that would last until `deadline` shall end.
std::uint64_t tampered(Task& self, std::uint64_t deadline);

}  // namespace heddle::controlled
