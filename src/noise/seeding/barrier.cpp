#include "noise/seeding/barrier.h"

#include "noise/seeding/units.h"

namespace heddle {
namespace {

class Barrier final : public Seeding {
 public:
  Disturbance disturb(const Event& event, Strength strength, ThreadNoise&, Prng& prng) override {
    if (!is_memory_read(event.kind) && !is_memory_write(event.kind)) return {};
    return {DisturbanceKind::barrier, draw(strength, prng) * kNanosecondsPerMillisecond};
  }
};

constinit Barrier instance;

}  // namespace

Seeding& barrier_seeding() { return instance; }

}  // namespace heddle
