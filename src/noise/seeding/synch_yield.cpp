#include "noise/seeding/synch_yield.h"

namespace heddle {
namespace {

class SynchYield final : public Seeding {
 public:
  Disturbance disturb(const Event&, Strength strength, ThreadNoise&, Prng& prng) override {
    return {DisturbanceKind::synch_yield, draw(strength, prng)};
  }
};

constinit SynchYield instance;

}  // namespace

Seeding& synch_yield() { return instance; }

}  // namespace heddle
