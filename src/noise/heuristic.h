// Noise: where and when (placement), how and how hard (seeding). The one seam of this directory.
//
// A heuristic returns what to do; the engine does it and records it. So it is tested without threads or clocks.
// To add one: placement/foo.h/.cpp or seeding/foo.h/.cpp, a row in catalog.cpp, a test in tests/unit/noise/.
// Instances live in static storage, one per process, but every thread brings its own Prng and ThreadNoise, so
// the same seed gives each thread the same noise whatever the others do.
#pragma once

#include <cstdint>

#include "base/prng.h"
#include "contract/disturbance.h"
#include "contract/event.h"
#include "contract/noise_settings.h"

namespace heddle {

class Placement {
 public:
  virtual void begin_run(const NoiseSettings& settings, Prng& prng) = 0;
  // Is this event, in this phase, a place for noise? Frequency is the caller's (noise/mixer.h), not ours.
  virtual bool wants(const Event& event, Prng& prng) = 0;

 protected:
  ~Placement() = default;
};

class Seeding {
 public:
  virtual Disturbance disturb(const Event& event, Strength strength, Prng& prng) = 0;

 protected:
  ~Seeding() = default;
};

}  // namespace heddle
