#include "noise/seeding/halt_one_thread.h"

#include "noise/seeding/units.h"

namespace heddle {
namespace {

class HaltOneThread final : public Seeding {
 public:
  Disturbance disturb(const Event&, Strength strength, ThreadNoise&, Prng& prng) override {
    return {DisturbanceKind::halt, draw(strength, prng) * kNanosecondsPerMillisecond};
  }
};

constinit HaltOneThread instance;

}  // namespace

Seeding& halt_one_thread() { return instance; }

}  // namespace heddle
