#include "noise/seeding/busy_wait.h"

#include "noise/seeding/units.h"

namespace heddle {
namespace {

class BusyWait final : public Seeding {
 public:
  Disturbance disturb(const Event&, Strength strength, ThreadNoise&, Prng& prng) override {
    return {DisturbanceKind::busy_wait, draw(strength, prng) * kNanosecondsPerMillisecond};
  }
};

constinit BusyWait instance;

}  // namespace

Seeding& busy_wait() { return instance; }

}  // namespace heddle
