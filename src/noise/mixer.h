// The one question engines ask of noise: what, if anything, is to be done to this thread at this
// event?
//
// The mixer composes placement (where), phase (before, after, both), frequency, seeding (how, how
// hard), rstest's loop (`repeat`), undisturbed stretches (`quiet`) and the overhead budget.
//
//   at every event          Disturbance d = mixer.at(event, noise, prng);
//                           do d (the controlled engine on virtual time)
//                           with budget()->noise_begins() before and noise_ends() after, if there is one
//   before a timed call     nanoseconds = mixer.shorten(nanoseconds, prng);
//
// All decisions come from the thread's own `prng`, which the engine seeds from the run's seed and
// the thread's path.
//
// Fast path: when at() would say no for certain, the engine need not ask. gap() hands the caller
// the number of places that pass undisturbed; after exactly so many the next one must be shown to
// at(). A caller that comes back earlier (a slow event in between) returns what it did not use with
// put_back(). The decisions are then the same, one by one, as if every event had been shown; only
// events that are places in a wanted phase count (see is_concurrent, looks_at).
//
// An engine that learns of an access only before it happens shows the `after` phase at the thread's
// next event.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "base/prng.h"
#include "contract/disturbance.h"
#include "contract/event.h"
#include "contract/noise_settings.h"
#include "noise/budget.h"
#include "noise/concurrent.h"
#include "noise/gap.h"
#include "noise/heuristic.h"
#include "noise/thread_noise.h"

namespace heddle {

// A steady clock in nanoseconds, for the budget.
using NoiseClock = std::uint64_t (*)();

class NoiseMixer {
 public:
  // Once per run, before any thread asks. Settings were checked by the tool; an unknown name means
  // no noise, and false. `clock` is used only with a budget, and may be null without one. `prng` is
  // the run's, not a thread's.
  bool begin_run(const NoiseSettings& settings, NoiseClock clock, Prng& prng);

  bool active() const { return placement_ != nullptr; }
  // Null: there is none.
  Budget* budget() { return budget_.is_set() ? &budget_ : nullptr; }
  // False: at() always answers "nothing" for this phase, and learns nothing from it.
  bool looks_at(EventPhase phase) const {
    return active() && (!everywhere_ || (frequency_ != 0 && in_phase(phase)));
  }

  // True: the placement learns from objects and sites, so every event must be shown, with both.
  bool looks_at_all() const { return active() && !everywhere_; }
  // True: places are all alike and one per event, so that counting them (gap) is all there is to do in between.
  bool counts_alone() const { return active() && everywhere_ && settings_.when != NoiseWhen::both; }
  // The phase in which an engine that has one callback per access shows it.
  EventPhase access_phase() const {
    return settings_.when == NoiseWhen::after ? EventPhase::after : EventPhase::before;
  }
  // True: function_enter and function_exit must be shown to at() too.
  bool needs_functions() const { return active() && placement_->needs_functions(); }

  Disturbance at(const Event& event, ThreadNoise& thread, Prng& prng);

  // False: shorten() changes nothing.
  bool tampers() const { return active() && settings_.timeout_tamper.name[0] != '\0'; }
  // timeoutTamper: how long a sleep or timed wait that asks for so many nanoseconds shall last at
  // most.
  std::uint64_t shorten(std::uint64_t asked, Prng& prng) const;

  // True: at() would say no, and counting the place is all it would do; that is done. For engines that would rather not
  // make an Event for nothing.
  bool passes(EventKind kind, EventPhase phase, ThreadNoise& thread);

  std::uint64_t gap(ThreadNoise& thread, Prng& prng);
  void put_back(ThreadNoise& thread, std::uint64_t unused) { thread.skip += unused; }

  // What earlier runs taught, after begin_run(); what this one taught, at its end. See heuristic.h.
  void learn(std::span<const NoiseLesson> lessons);
  std::size_t teach(std::span<NoiseLesson> lessons) const;

 private:
  bool in_phase(EventPhase phase) const {
    return settings_.when == NoiseWhen::both ||
           (settings_.when == NoiseWhen::before) == (phase == EventPhase::before);
  }
  // A seeding that was looked up, ready to use. No seeding: nothing is done.
  struct Seeder {
    Seeding* seeding;
    Strength strength;
    std::uint32_t frequency;
  };
  bool resolve(const SeedingSettings& settings, const Seeder& otherwise, Seeder& seeder) const;
  const Seeder& seeder_for(EventKind kind) const;
  const Seeder* combined(Prng& prng) const;
  void arm(ThreadNoise& thread, Prng& prng);
  Disturbance choose(const Event& event, ThreadNoise& thread, Prng& prng);
  bool affordable(const Event& event, ThreadNoise& thread, Prng& prng);

  NoiseSettings settings_ = {};
  NoiseClock clock_ = nullptr;
  Placement* placement_ = nullptr;  // null: no noise
  bool everywhere_ = false;
  Seeder basic_ = {};
  Seeder reads_ = {};
  Seeder writes_ = {};
  Seeder sync_ = {};
  Seeder halt_ = {};
  Seeder inverse_ = {};
  std::uint32_t frequency_ = 0;  // the highest of all; the others are thinned out from it
  Gap gap_;
  Budget budget_;
};

}  // namespace heddle
