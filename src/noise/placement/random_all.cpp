#include "noise/placement/random_all.h"

namespace heddle {
namespace {

class RandomAll final : public Placement {
 public:
  void begin_run(const NoiseSettings&, Prng&) override {}
  void observe(const Event&, ThreadNoise&) override {}
  bool wants(const Event&, ThreadNoise&, Prng&) override { return true; }
  bool everywhere() const override { return true; }
};

constinit RandomAll instance;

}  // namespace

Placement& random_all() { return instance; }

}  // namespace heddle
