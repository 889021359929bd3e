#include "noise/mixer.h"

#include "base/hash.h"
#include "noise/catalog.h"

namespace heddle {
namespace {

// rstest's loop ends by chance; this ends it for certain when the chance is set to 1000.
constexpr unsigned kMostRepeats = 100;

// A guess, used only to tell whether a disturbance can be afforded; what it really took is
// accounted afterwards.
constexpr std::uint64_t kYieldCost = 1'000;

std::uint64_t expected_cost(Disturbance disturbance) {
  switch (disturbance.kind) {
    case DisturbanceKind::yield:
    case DisturbanceKind::synch_yield:
      return disturbance.amount * kYieldCost;
    case DisturbanceKind::sleep:
    case DisturbanceKind::wait:
    case DisturbanceKind::busy_wait:
    case DisturbanceKind::barrier:
    case DisturbanceKind::halt:
      return disturbance.amount;
    default:
      return kYieldCost;
  }
}

// Only what takes time can be done again and again; a changed priority or a halt is a state.
bool repeatable(DisturbanceKind kind) {
  return kind == DisturbanceKind::yield || kind == DisturbanceKind::synch_yield ||
         kind == DisturbanceKind::sleep || kind == DisturbanceKind::wait ||
         kind == DisturbanceKind::busy_wait;
}

}  // namespace

bool NoiseMixer::begin_run(const NoiseSettings& settings, NoiseClock clock, Prng& prng) {
  settings_ = settings;
  clock_ = clock;
  placement_ = nullptr;
  if (settings.placement[0] == '\0') return true;
  const NoiseRow* placement = find_noise(NoiseKind::placement, settings.placement);
  const NoiseRow* seeding = find_noise(NoiseKind::seeding, settings.seeding.name);
  if (placement == nullptr || seeding == nullptr) return false;
  if (clock_ == nullptr) settings_.budget_percent = 0;
  placement_ = &placement->placement();
  seeding_ = &seeding->seeding();
  placement_->begin_run(settings_, prng);
  everywhere_ = placement_->everywhere();
  gap_.set_frequency(settings_.frequency);
  return true;
}

Disturbance NoiseMixer::at(const Event& event, ThreadNoise& thread, Prng& prng) {
  if (!active()) return {};
  if (!everywhere_) placement_->observe(event, thread);
  if (!in_phase(event.phase) || !is_place(event.kind)) return {};
  if (!everywhere_ && !placement_->wants(event, thread, prng)) return {};
  if (!thread.armed) arm(thread, prng);
  if (thread.skip > 0) {
    --thread.skip;
    return {};
  }
  thread.armed = false;
  return choose(event, thread, prng);
}

std::uint64_t NoiseMixer::gap(ThreadNoise& thread, Prng& prng) {
  if (!active()) return Gap::kNever;
  if (!everywhere_) return 0;
  if (!thread.armed) arm(thread, prng);
  const std::uint64_t gap = thread.skip;
  thread.skip = 0;
  return gap;
}

// Called at a thread's first place and after each disturbed one: there a long undisturbed stretch
// may begin. It comes on top of the gap, which has no memory, so after the stretch all is as before
// it.
void NoiseMixer::arm(ThreadNoise& thread, Prng& prng) {
  if (!thread.clock_started && clock_ != nullptr) {
    thread.started_at = clock_();
    thread.clock_started = true;
  }
  thread.skip = gap_.draw(prng);
  if (settings_.quiet != 0 && prng.chance(settings_.quiet, 1000))
    thread.skip += settings_.quiet_length;
  thread.armed = true;
}

Disturbance NoiseMixer::choose(const Event& event, ThreadNoise& thread, Prng& prng) {
  const Strength strength = settings_.seeding.strength;
  Disturbance disturbance = seeding_->disturb(event, strength, prng);
  if (!disturbance) return {};
  if (settings_.repeat != 0 && repeatable(disturbance.kind)) {
    for (unsigned i = 0; i < kMostRepeats && prng.chance(settings_.repeat, 1000); ++i) {
      const Disturbance again = seeding_->disturb(event, strength, prng);
      if (again.kind == disturbance.kind) disturbance.amount += again.amount;
    }
  }
  if (budgeted() && !affordable(event, disturbance, thread, prng)) {
    ++thread.refused;
    return {};
  }
  ++thread.disturbed;
  return disturbance;
}

// Two brakes. A place that this thread was disturbed at n times already gets another with a chance
// of 8 in 8+n, so that hot places do not eat what rare ones should have. And half of the cost must
// have been earned: waiting for all of it would leave short threads without noise, waiting for
// nothing would let a thousand short threads overspend.
bool NoiseMixer::affordable(const Event& event, Disturbance disturbance, ThreadNoise& thread,
                            Prng& prng) {
  std::uint8_t& often = thread.often[mix64(event.site.value) % sizeof(thread.often)];
  if (!prng.chance(8, 8 + std::uint64_t{often})) return false;
  const std::uint64_t worked = clock_() - thread.started_at;
  const std::uint64_t earned = worked / 100 * settings_.budget_percent;
  if (thread.spent + expected_cost(disturbance) / 2 > earned) return false;
  if (often < 255) ++often;
  return true;
}

}  // namespace heddle
