#include "noise/seeding/mixed.h"

#include "noise/seeding/busy_wait.h"
#include "noise/seeding/sleep.h"
#include "noise/seeding/synch_yield.h"
#include "noise/seeding/wait.h"
#include "noise/seeding/yield.h"

namespace heddle {
namespace {

class Mixed final : public Seeding {
 public:
  Disturbance disturb(const Event& event, Strength strength, ThreadNoise& thread,
                      Prng& prng) override {
    switch (prng.below(5)) {
      case 0:
        return yield_seeding().disturb(event, strength, thread, prng);
      case 1:
        return sleep_seeding().disturb(event, strength, thread, prng);
      case 2:
        return wait_seeding().disturb(event, strength, thread, prng);
      case 3:
        return busy_wait().disturb(event, strength, thread, prng);
      default:
        return synch_yield().disturb(event, strength, thread, prng);
    }
  }
};

constinit Mixed instance;

}  // namespace

Seeding& mixed_seeding() { return instance; }

}  // namespace heddle
