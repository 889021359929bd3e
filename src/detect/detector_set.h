// The detectors of one run and what they share, behind one on(): feeds each event in the right order.
//
// Where threads run in parallel, callers let them take turns, unless needs_turns() says that they need not: each thread may
// then show its own events at any time, an atomic operation's between hold() and let_go(). Some of this holds in any case:
// see track().
#pragma once

#include "base/fixed_vector.h"
#include "base/per_thread.h"
#include "detect/catalog.h"
#include "detect/fasttrack.h"

namespace heddle {

class DetectorSet {
 public:
  struct Settings {
    DetectorMask detectors;
    Arena::Map map;
    std::uint64_t memory;                // most bytes for all of them
    LockOrderLog* lock_order = nullptr;  // null: nobody puts runs together
    AccessCells::Directory* directory = nullptr;
  };

  constexpr DetectorSet() = default;

  void begin_run(const Settings& settings, FindingLog& findings);
  void on(const Event& event);
  void end_run();

  const LockStacks& held() const { return held_; }
  bool empty() const { return active_.empty(); }
  // Some detector needs every plain access.
  bool watches_memory() const { return watches_memory_; }
  bool needs_turns() const { return needs_turns_; }
  // Not null: nobody else looks at plain accesses. They may then be shown by track(), without turns, whatever else is on,
  // by a thread that is not in the middle of a wait.
  FastTrack* tracker() const { return tracker_; }
  void track(const FastTrack::Access& access) {
    order_.begin(access.thread);
    tracker_->access(access);
  }
  // An atomic, where nobody needs turns: shown between hold() and let_go(), unless is_silent() allows to show it `alone`.
  // site() is asked for the place if somebody wants it.
  enum class Atomic { held, alone };
  bool is_silent(const Event& event) const { return order_.is_silent(event); }
  template <class Site>
  void track_atomic(Event& event, Atomic how, Site&& site) {
    if (how == Atomic::alone) {
      order_.done_silently(event);
    } else {
      order_.acquire_side(event);
    }
    if (!tracker_->is_known(event.thread, carried_out(event), event.object.value, event.size)) {
      event.site = site();
      tracker_->on(event);
    }
    if (how == Atomic::held) order_.release_side(event);
  }

  // What fasttrack's words begin with for that thread now (AccessWord::who_of).
  std::uint64_t who(ThreadId thread) const {
    return AccessWord::who_of(thread, order_.tick(thread));
  }
  const VectorClock& clock(ThreadId thread) const { return order_.clock(thread); }
  bool in_wait(ThreadId thread) const { return waits_[thread.value].kind != EventKind::none; }

  // See HappensBefore.
  void hold(std::uint64_t object) { order_.hold(object); }
  void let_go(std::uint64_t object) { order_.let_go(object); }
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
  bool needs_turns_ = false;
  FastTrack* tracker_ = nullptr;
  PerThread<Event, kMaxThreads> waits_;  // how each of them began it
};

}  // namespace heddle
