// The detectors of one run and what they share, behind one on(): feeds each event in the right order.
//
// Where threads run in parallel, callers let them take turns, unless needs_turns() says that they need not: each thread may
// then show its own events at any time, and an atomic operation by begin_atomic() and end_atomic(). Some of this holds in
// any case: see track().
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
    void (*barrier)() = nullptr;  // where threads run in parallel
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
  // Not null: nobody else looks at plain accesses, but for `freed`. The others may then be shown by track(), without turns,
  // whatever else is on, by a thread that is not in the middle of a wait.
  FastTrack* tracker() const { return tracker_; }
  void track(const FastTrack::Access& access) {
    order_.begin(access.thread);
    tracker_->access(access);
  }
  // An atomic operation, where nobody needs turns. Before it: what it returns (null: nothing need be held) goes to
  // end_atomic(), which comes after it. site() is asked for the place if somebody wants it. What only stores learns nothing, so
  // that it may be looked at before others are kept waiting.
  template <class Site>
  HappensBefore::Object* begin_atomic(const AtomicStep& step, Site&& site) {
    order_.begin(step.thread);
    if (step.kind == EventKind::atomic_store && step.size != 0) {
      tracker_->atomic_access(step, step.kind, site);
    }
    if (order_.is_silent(step.thread, step.object, step.order)) return nullptr;
    return &order_.hold(step.thread, step.object);
  }
  // Instead, for a load: false if it is to be done again, by the other two.
  HappensBefore::Reading begin_load(const AtomicStep& step) {
    order_.begin(step.thread);
    return order_.begin_load(step.thread, step.object);
  }
  template <class Site>
  bool end_load(const AtomicStep& step, const HappensBefore::Reading& reading, Site&& site) {
    if (!order_.end_load(step.thread, reading, step.order)) return false;
    if (step.size != 0) tracker_->atomic_access(step, step.kind, site);
    return true;
  }
  template <class Site>
  void end_atomic(const AtomicStep& step, bool stored, HappensBefore::Object* held, Site&& site) {
    const bool failed = step.kind == EventKind::atomic_cas && !stored;
    const EventKind kind = failed ? EventKind::atomic_load : step.kind;
    if (held == nullptr) {
      order_.done_silently(step.thread, step.object, kind);
    } else if (kind != EventKind::atomic_store) {
      order_.loaded(step.thread, *held, step.order);
    }
    if (kind != EventKind::atomic_store && step.size != 0) {
      tracker_->atomic_access(step, kind, site);
    }
    if (held == nullptr) return;
    const bool told = stored && order_.stored(step.thread, *held, kind, step.order);
    told ? order_.let_go(*held) : order_.let_go_unchanged(*held);
  }
  // The same for an atomic that was carried out where one thread runs at a time, at that step.
  template <class Site>
  void atomic_alone(const AtomicStep& step, bool stored, std::uint64_t at, Site&& site) {
    order_.begin(step.thread);
    const bool failed = step.kind == EventKind::atomic_cas && !stored;
    const EventKind kind = failed ? EventKind::atomic_load : step.kind;
    HappensBefore::Object* const object = order_.is_silent(step.thread, step.object, step.order)
                                              ? nullptr
                                              : &order_.hold_alone(step.thread, step.object);
    if (object != nullptr && kind != EventKind::atomic_store) {
      order_.loaded(step.thread, *object, step.order);
    }
    if (step.size != 0) tracker_->atomic_access<true>(step, kind, site, at);
    if (object == nullptr) return;
    const bool told = stored && order_.stored(step.thread, *object, kind, step.order);
    told ? order_.let_go(*object) : order_.let_go_unchanged(*object);
  }
  // A mutex that is not robust, where nobody needs turns: taken and given back. False: the thread holds what it held before.
  bool took_mutex(ThreadId thread, std::uint64_t mutex, SiteId site) {
    order_.begin(thread);
    order_.learn_from(thread, mutex);
    return held_.take(thread, {mutex, site, 0, 1, LockMode::exclusive, EventKind::mutex_lock});
  }
  bool gives_mutex_back(ThreadId thread, std::uint64_t mutex) {
    order_.begin(thread);
    order_.tell(thread, mutex);
    return held_.give(thread, mutex);
  }

  // What fasttrack's words begin with for that thread now (AccessWord::who_of).
  std::uint64_t who(ThreadId thread) const {
    return AccessWord::who_of(thread, order_.tick(thread));
  }
  const VectorClock& clock(ThreadId thread) const { return order_.clock(thread); }
  bool in_wait(ThreadId thread) const { return waits_[thread.value].kind != EventKind::none; }

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
