// Scripted events and settings for the tests of noise: what a program would do, written down.
#pragma once

#include <cstring>
#include <string>
#include <vector>

#include "noise/catalog.h"
#include "noise/mixer.h"

namespace heddle::scripted {

inline Event event(unsigned thread, EventKind kind, std::uint64_t object, std::uint64_t site = 1,
                   EventPhase phase = EventPhase::before) {
  Event event{};
  event.thread = ThreadId{static_cast<std::uint16_t>(thread)};
  event.kind = kind;
  event.object = make_global(1, object);
  event.site = make_site(1, site);
  event.phase = phase;
  event.size = 4;
  return event;
}

inline Event read(unsigned thread, std::uint64_t object, std::uint64_t site = 1) {
  return event(thread, EventKind::read, object, site);
}
inline Event write(unsigned thread, std::uint64_t object, std::uint64_t site = 1) {
  return event(thread, EventKind::write, object, site);
}
inline Event lock(unsigned thread, std::uint64_t mutex, std::uint64_t site = 1) {
  return event(thread, EventKind::mutex_lock, mutex, site);
}
inline Event unlock(unsigned thread, std::uint64_t mutex, std::uint64_t site = 1) {
  return event(thread, EventKind::mutex_unlock, mutex, site);
}
inline Event enter(unsigned thread, std::uint64_t function) {
  return event(thread, EventKind::function_enter, 0, function);
}
inline Event leave(unsigned thread) { return event(thread, EventKind::function_exit, 0); }
inline Event after(Event event, std::int16_t result = 0) {
  event.phase = EventPhase::after;
  event.result = result;
  return event;
}

inline SeedingSettings seeding(const char* name, std::uint32_t low, std::uint32_t high) {
  SeedingSettings settings{};
  std::strncpy(settings.name, name, sizeof(settings.name) - 1);
  settings.strength = {low, high};
  return settings;
}

// Noise at every place of the placement, before the event, one yield each: what is disturbed is
// what is placed.
inline NoiseSettings everywhere(const char* placement) {
  NoiseSettings settings{};
  std::strncpy(settings.placement, placement, sizeof(settings.placement) - 1);
  settings.when = NoiseWhen::before;
  settings.frequency = 1000;
  settings.seeding = seeding("yield", 1, 1);
  return settings;
}

// A mixer with as many threads as the script names.
class Stage {
 public:
  explicit Stage(const NoiseSettings& settings, std::uint64_t seed = 1, NoiseClock clock = nullptr)
      : run_(seed), threads_(8), prngs_(8) {
    for (std::size_t i = 0; i < prngs_.size(); ++i) prngs_[i].reseed(combine(seed, i));
    begun_ = mixer_.begin_run(settings, clock, run_);
  }

  Disturbance at(const Event& event) {
    return mixer_.at(event, threads_[event.thread.value], prngs_[event.thread.value]);
  }
  bool disturbs(const Event& event) { return static_cast<bool>(at(event)); }
  // One letter per event: '!' disturbed, '.' not.
  std::string play(const std::vector<Event>& script) {
    std::string picture;
    for (const Event& event : script) picture += disturbs(event) ? '!' : '.';
    return picture;
  }

  bool begun() const { return begun_; }
  NoiseMixer& mixer() { return mixer_; }
  ThreadNoise& noise(unsigned thread) { return threads_[thread]; }
  Prng& prng(unsigned thread) { return prngs_[thread]; }

 private:
  Prng run_;
  NoiseMixer mixer_;
  std::vector<ThreadNoise> threads_;
  std::vector<Prng> prngs_;
  bool begun_ = false;
};

}  // namespace heddle::scripted
