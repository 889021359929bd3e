// The detectors of one run and what they share, behind one on(): feeds each event in the right order.
#pragma once

#include "base/fixed_vector.h"
#include "base/per_thread.h"
#include "detect/catalog.h"

namespace heddle {

class DetectorSet {
 public:
  struct Settings {
    DetectorMask detectors;
    Arena::Map map;
    std::uint64_t memory;                // most bytes for all of them
    LockOrderLog* lock_order = nullptr;  // null: nobody puts runs together
  };

  constexpr DetectorSet() = default;

  void begin_run(const Settings& settings, FindingLog& findings);
  void on(const Event& event);
  void end_run();

  const LockStacks& held() const { return held_; }
  bool empty() const { return active_.empty(); }
  // Some detector needs every plain access.
  bool watches_memory() const { return watches_memory_; }
  // Some detector learns from an access that its thread has made already since it last synchronised.
  bool wants_repeats() const { return wants_repeats_; }
  // What memory did not suffice for.
  std::uint64_t dropped() const;
  std::uint64_t memory_used() const { return arena_.used(); }

 private:
  void feed(const Event& event);
  bool end_wait(const Event& event);

  Arena arena_;
  HappensBefore order_;
  LockStacks held_;
  FixedVector<Detector*, 32> active_;
  bool watches_memory_ = false;
  bool wants_repeats_ = false;
  std::uint32_t waiting_ = 0;            // threads inside a condition wait
  PerThread<Event, kMaxThreads> waits_;  // how each of them began it
};

}  // namespace heddle
