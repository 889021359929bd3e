// Noise: where and when (placement), how and how hard (seeding). The seam of this directory.
//
// A heuristic returns what to do; the engine does it and records it. So it is tested without
// threads or clocks. To add one: placement/foo.h/.cpp or seeding/foo.h/.cpp, a row in catalog.cpp,
// a test in tests/unit/noise/.
//
// Instances live in static storage, one per process: no heap, no destructor. Every thread brings
// its own Prng and ThreadNoise, so a heuristic that keeps nothing else gives each thread the same
// noise for the same seed, whatever the others do. One that learns from all threads (which
// variables are shared, what was covered) keeps it in its object; in the free engine threads ask at
// the same time, so such state is atomic and relaxed: a lost update costs a lesson, never more.
#pragma once

#include <cstddef>
#include <span>

#include "base/prng.h"
#include "contract/disturbance.h"
#include "contract/event.h"
#include "contract/noise_lesson.h"
#include "contract/noise_settings.h"
#include "noise/thread_noise.h"

namespace heddle {

class Placement {
 public:
  // Forgets what an earlier run taught. `prng` is the run's own, for draws that hold for all
  // threads.
  virtual void begin_run(const NoiseSettings& settings, Prng& prng) = 0;

  // Every event in both phases, also those where no noise may go, before wants() is asked. To learn
  // from.
  virtual void observe(const Event& event, ThreadNoise& thread) = 0;

  // Is this event a place for noise? Frequency and phase are the mixer's (noise/mixer.h), not ours.
  virtual bool wants(const Event& event, ThreadNoise& thread, Prng& prng) = 0;

  // True if wants() is always true and observe() does nothing: the engine may pass events over.
  virtual bool everywhere() const { return false; }
  // True if it must see function_enter and function_exit.
  virtual bool needs_functions() const { return false; }

  // Between runs, for placements that gain from it. learn() comes after begin_run(), before any
  // event; kinds that are not ours are passed over. teach() fills `lessons` from the front and
  // returns how many there are.
  virtual void learn(const NoiseLesson&) {}
  virtual std::size_t teach(std::span<NoiseLesson>) const { return 0; }

 protected:
  ~Placement() = default;  // a virtual one would need operator delete in the target
};

class Seeding {
 public:
  // What to do at this event. Draws the amount from `strength`, whose unit is the seeding's
  // (noise/catalog.h).
  virtual Disturbance disturb(const Event& event, Strength strength, ThreadNoise& thread,
                              Prng& prng) = 0;

 protected:
  ~Seeding() = default;
};

// An amount within the strength. Nothing is drawn for a fixed one.
constexpr std::uint64_t draw(Strength strength, Prng& prng) {
  return strength.low >= strength.high ? strength.low : prng.between(strength.low, strength.high);
}

}  // namespace heddle
