#include "noise/seeding/sleep.h"

#include "noise/seeding/units.h"

namespace heddle {
namespace {

class Sleep final : public Seeding {
 public:
  Disturbance disturb(const Event&, Strength strength, ThreadNoise&, Prng& prng) override {
    return {DisturbanceKind::sleep, draw(strength, prng) * kNanosecondsPerMillisecond};
  }
};

constinit Sleep instance;

}  // namespace

Seeding& sleep_seeding() { return instance; }

}  // namespace heddle
