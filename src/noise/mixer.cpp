#include "noise/mixer.h"

#include <algorithm>
#include <string_view>

#include "base/hash.h"
#include "noise/catalog.h"
#include "noise/seeding/timeout_tamper.h"

namespace heddle {
namespace {

// rstest's loop ends by chance; this ends it for certain when the chance is set to 1000.
constexpr unsigned kMostRepeats = 100;

// Advanced seedings join a basic one at one place in so many.
constexpr std::uint64_t kOccasionally = 16;

// A thread that may not be disturbed now asks again after 1, 2, 4, … places, so that it asks about this often (in
// nanoseconds): asking costs time too.
constexpr std::uint64_t kAskEvery = 100'000;
constexpr std::uint8_t kLongestBackOff = 20;

// Only what takes time can be done again and again; a changed priority or a halt is a state.
bool repeatable(DisturbanceKind kind) {
  return kind == DisturbanceKind::yield || kind == DisturbanceKind::synch_yield ||
         kind == DisturbanceKind::sleep || kind == DisturbanceKind::wait ||
         kind == DisturbanceKind::busy_wait;
}

}  // namespace

// False if the name is not known. An empty one stands for `otherwise`.
bool NoiseMixer::resolve(const SeedingSettings& settings, const Seeder& otherwise,
                         Seeder& seeder) const {
  seeder = otherwise;
  const std::string_view name = settings.name;
  if (name.empty()) return true;
  if (settings.frequency != 0) seeder.frequency = settings.frequency;
  seeder.strength = settings.strength;
  seeder.seeding = nullptr;
  if (name == "none") return true;
  const NoiseRow* row = find_noise(NoiseKind::seeding, name);
  if (row == nullptr || row->seeding == nullptr) return false;
  seeder.seeding = &row->seeding();
  return true;
}

bool NoiseMixer::begin_run(const NoiseSettings& settings, NoiseClock clock, Prng& prng) {
  settings_ = settings;
  clock_ = clock;
  budget_.begin_run(clock_ == nullptr ? 0 : settings.budget_percent);
  placement_ = nullptr;
  if (settings.placement[0] == '\0') {
    settings_ = {};
    return true;
  }
  const NoiseRow* placement = find_noise(NoiseKind::placement, settings.placement);
  const Seeder nothing{nullptr, {}, settings.frequency};
  if (placement == nullptr || !resolve(settings.seeding, nothing, basic_) ||
      !resolve(settings.reads, basic_, reads_) || !resolve(settings.writes, basic_, writes_) ||
      !resolve(settings.sync, basic_, sync_) ||
      !resolve(settings.halt_one_thread, nothing, halt_) ||
      !resolve(settings.inverse_noise, nothing, inverse_)) {
    settings_ = {};
    return false;
  }
  placement_ = &placement->placement();
  placement_->begin_run(settings_, prng);
  everywhere_ = placement_->everywhere();
  frequency_ = std::max({reads_.frequency, writes_.frequency, sync_.frequency});
  gap_.set_frequency(frequency_);
  return true;
}

void NoiseMixer::learn(std::span<const NoiseLesson> lessons) {
  if (!active()) return;
  for (const NoiseLesson& lesson : lessons) placement_->learn(lesson);
}

std::size_t NoiseMixer::teach(std::span<NoiseLesson> lessons) const {
  return active() ? placement_->teach(lessons) : 0;
}

Disturbance NoiseMixer::at(const Event& event, ThreadNoise& thread, Prng& prng) {
  if (!active()) return {};
  if (!everywhere_) placement_->observe(event, thread);
  if (!in_phase(event.phase) || !is_concurrent(event.kind)) return {};
  if (frequency_ == 0) return {};
  if (!everywhere_ && !placement_->wants(event, thread, prng)) return {};
  if (!thread.armed) arm(thread, prng);
  if (thread.skip > 0) {
    --thread.skip;
    return {};
  }
  thread.armed = false;
  return choose(event, thread, prng);
}

bool NoiseMixer::passes(const EventKind kind, EventPhase phase, ThreadNoise& thread) {
  if (!everywhere_) return false;
  if (!in_phase(phase) || !is_concurrent(kind) || frequency_ == 0) return true;
  if (!thread.armed || thread.skip == 0) return false;
  --thread.skip;
  return true;
}

std::uint64_t NoiseMixer::gap(ThreadNoise& thread, Prng& prng) {
  // "Never" is no number of places to be handed out and put back.
  if (!active() || frequency_ == 0) return Gap::kNever;
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
  thread.skip = gap_.draw(prng);
  if (settings_.quiet != 0 && prng.chance(settings_.quiet, 1000))
    thread.skip += settings_.quiet_length;
  thread.skip += thread.pause;
  thread.pause = 0;
  thread.armed = true;
}

const NoiseMixer::Seeder& NoiseMixer::seeder_for(EventKind kind) const {
  if (is_memory_write(kind))
    return writes_;  // x++ and exchanges too: the stronger of their two sides
  return is_memory_read(kind) ? reads_ : sync_;
}

// The advanced seedings join a basic one at some places only: what stops other threads, or this one
// for long, everywhere would leave nothing for the basic one to disturb. Without a basic one they
// take turns.
const NoiseMixer::Seeder* NoiseMixer::combined(Prng& prng) const {
  const bool halts = halt_.seeding != nullptr;
  const bool inverts = inverse_.seeding != nullptr;
  if (!halts && !inverts) return nullptr;
  if (basic_.seeding != nullptr && !prng.chance(1, kOccasionally)) return nullptr;
  if (halts && inverts) return prng.chance(1, 2) ? &halt_ : &inverse_;
  return halts ? &halt_ : &inverse_;
}

Disturbance NoiseMixer::choose(const Event& event, ThreadNoise& thread, Prng& prng) {
  const Seeder* seeder = &seeder_for(event.kind);
  if (seeder->frequency < frequency_ && !prng.chance(seeder->frequency, frequency_)) return {};
  if (const Seeder* advanced = combined(prng)) seeder = advanced;
  if (seeder->seeding == nullptr) return {};
  Disturbance disturbance = seeder->seeding->disturb(event, seeder->strength, thread, prng);
  if (!disturbance) return {};
  if (settings_.repeat != 0 && repeatable(disturbance.kind)) {
    for (unsigned i = 0; i < kMostRepeats && prng.chance(settings_.repeat, 1000); ++i) {
      const Disturbance again = seeder->seeding->disturb(event, seeder->strength, thread, prng);
      if (again.kind == disturbance.kind) disturbance.amount += again.amount;
    }
  }
  if (budget_.is_set() && !affordable(event, thread, prng)) {
    ++thread.refused;
    return {};
  }
  ++thread.disturbed;
  return disturbance;
}

std::uint64_t NoiseMixer::shorten(std::uint64_t asked, Prng& prng) const {
  if (!tampers()) return asked;
  return tamper_with_timeout(asked, settings_.timeout_tamper.strength, prng);
}

// Two brakes. The program must be within its budget. And a place that this thread was disturbed at n times already gets
// another with a chance of 8 in 8+n, so that hot places do not eat what rare ones should have.
bool NoiseMixer::affordable(const Event& event, ThreadNoise& thread, Prng& prng) {
  std::uint8_t& often = thread.often[mix64(event.site.value) % sizeof(thread.often)];
  if (budget_.allows() && !prng.chance(8, 8 + std::uint64_t{often})) return false;
  const std::uint64_t now = clock_();
  const std::uint64_t since = now - thread.asked_at;
  const bool allowed = budget_.allows(now, event.step - thread.step_then);
  thread.asked_at = now;
  thread.step_then = event.step;
  if (allowed) {
    if (often < 255) ++often;
    return true;
  }
  if (since < kAskEvery && thread.back_off < kLongestBackOff) ++thread.back_off;
  if (since > 4 * kAskEvery && thread.back_off > 0) --thread.back_off;
  thread.pause = std::uint64_t{1} << thread.back_off;
  return false;
}

}  // namespace heddle
