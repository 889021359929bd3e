#include "noise/seeding/wait.h"

#include "noise/seeding/units.h"

namespace heddle {
namespace {

class Wait final : public Seeding {
 public:
  Disturbance disturb(const Event&, Strength strength, ThreadNoise&, Prng& prng) override {
    return {DisturbanceKind::wait, draw(strength, prng) * kNanosecondsPerMillisecond};
  }
};

constinit Wait instance;

}  // namespace

Seeding& wait_seeding() { return instance; }

}  // namespace heddle
