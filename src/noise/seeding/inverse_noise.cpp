#include "noise/seeding/inverse_noise.h"

namespace heddle {
namespace {

class InverseNoise final : public Seeding {
 public:
  Disturbance disturb(const Event&, Strength strength, ThreadNoise&, Prng& prng) override {
    return {DisturbanceKind::inverse, draw(strength, prng)};
  }
};

constinit InverseNoise instance;

}  // namespace

Seeding& inverse_noise() { return instance; }

}  // namespace heddle
