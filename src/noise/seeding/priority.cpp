#include "noise/seeding/priority.h"

namespace heddle {
namespace {

class Priority final : public Seeding {
 public:
  Disturbance disturb(const Event&, Strength strength, ThreadNoise& thread, Prng& prng) override {
    const auto change = static_cast<std::uint32_t>(draw(strength, prng));
    const std::uint32_t now = thread.priority;
    const bool can_rise = change <= now;
    const bool can_fall = now + change <= kLeastUrgent;
    if (change == 0 || (!can_rise && !can_fall)) return {};
    const bool rises = can_rise && (!can_fall || prng.chance(1, 2));
    thread.priority = rises ? now - change : now + change;
    return {DisturbanceKind::priority, thread.priority};
  }

 private:
  static constexpr std::uint32_t kLeastUrgent = 19;
};

constinit Priority instance;

}  // namespace

Seeding& priority_seeding() { return instance; }

}  // namespace heddle
