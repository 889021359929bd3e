// The one question engines ask of noise: what, if anything, is to be done to this thread at this
// event?
//
// The mixer composes placement (where), phase (before, after, both), frequency, seeding (how, how
// hard), rstest's loop
// (`repeat`), undisturbed stretches (`quiet`) and the overhead budget.
//
//   free engine                                      controlled engine
//     every event:  d = mixer.at(event, noise, prng)    the same, at scheduling points; d takes
//     virtual time then does d, and if mixer.budgeted()
//       mixer.account(noise, nanoseconds it took)
//
// All decisions come from the thread's own `prng`, which the engine seeds from the run's seed and
// the thread's path.
//
// Fast path: when at() would say no for certain, the engine need not ask. gap() hands the caller
// the number of places that pass undisturbed; after exactly so many the next one must be shown to
// at(). A caller that comes back earlier (a slow event in between) returns what it did not use with
// put_back(). The decisions are then the same, one by one, as if every event had been shown; only
// events that are places in a wanted phase count (see is_place, looks_at).
//
// An engine that learns of an access only before it happens shows the `after` phase at the thread's
// next event.
#pragma once

#include <cstdint>

#include "base/prng.h"
#include "contract/disturbance.h"
#include "contract/event.h"
#include "contract/noise_settings.h"
#include "noise/gap.h"
#include "noise/heuristic.h"
#include "noise/thread_noise.h"

namespace heddle {

// Where noise may go at all: what other threads can see or be seen by. Not function entry, not
// allocation.
constexpr bool is_place(EventKind kind) {
  switch (kind) {
    case EventKind::none:
    case EventKind::thread_start:  // the thread is already being set up by us: its first own event
                                   // follows at once
    case EventKind::clock_read:
    case EventKind::function_enter:
    case EventKind::function_exit:
    case EventKind::allocate:
    case EventKind::exec:
    case EventKind::process_exit:
    case EventKind::signal:
      return false;
    default:
      return true;
  }
}

// Nanoseconds the calling thread has worked (the free engine lends its CPU clock, the controlled
// one virtual time).
using NoiseClock = std::uint64_t (*)();

class NoiseMixer {
 public:
  // Once per run, before any thread asks. Settings were checked by the tool; an unknown name means
  // no noise, and false. `clock` is used only with a budget, and may be null without one. `prng` is
  // the run's, not a thread's.
  bool begin_run(const NoiseSettings& settings, NoiseClock clock, Prng& prng);

  bool active() const { return placement_ != nullptr; }
  bool budgeted() const { return settings_.budget_percent != 0; }
  // False: at() always answers "nothing" for this phase, and learns nothing from it.
  bool looks_at(EventPhase phase) const { return active() && (!everywhere_ || in_phase(phase)); }

  Disturbance at(const Event& event, ThreadNoise& thread, Prng& prng);

  std::uint64_t gap(ThreadNoise& thread, Prng& prng);
  void put_back(ThreadNoise& thread, std::uint64_t unused) { thread.skip += unused; }

  // What the last disturbance cost this thread. Only needed when budgeted().
  void account(ThreadNoise& thread, std::uint64_t nanoseconds) { thread.spent += nanoseconds; }

 private:
  bool in_phase(EventPhase phase) const {
    return settings_.when == NoiseWhen::both ||
           (settings_.when == NoiseWhen::before) == (phase == EventPhase::before);
  }
  void arm(ThreadNoise& thread, Prng& prng);
  Disturbance choose(const Event& event, ThreadNoise& thread, Prng& prng);
  bool affordable(const Event& event, Disturbance disturbance, ThreadNoise& thread, Prng& prng);

  NoiseSettings settings_ = {};
  NoiseClock clock_ = nullptr;
  Placement* placement_ = nullptr;  // null: no noise
  Seeding* seeding_ = nullptr;
  bool everywhere_ = false;
  Gap gap_;
};

}  // namespace heddle
