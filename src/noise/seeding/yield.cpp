#include "noise/seeding/yield.h"

namespace heddle {
namespace {

class Yield final : public Seeding {
 public:
  Disturbance disturb(const Event&, Strength strength, ThreadNoise&, Prng& prng) override {
    return {DisturbanceKind::yield, draw(strength, prng)};
  }
};

constinit Yield instance;

}  // namespace

Seeding& yield_seeding() { return instance; }

}  // namespace heddle
