// fasttrack: two accesses, one of them a write, not both atomic, neither ordered before the other. Precise for the run
// at hand: no false alarm, and the first race on every byte is found.
//
// After Flanagan, Freund: FastTrack: Efficient and Precise Dynamic Race Detection (PLDI 2009). Like there, an access is
// remembered as an epoch (thread, tick), and an access that is ordered after a remembered one and would conflict with
// whatever that conflicts with takes its place; so a location has one record until it is really shared. We differ:
//  - records are about bytes, not variables: neighbours in one 8-byte granule do not collide;
//  - unordered accesses stay side by side instead of the last one winning, so that each racing pair is told;
//  - an atomic access races with plain ones only.
//
// A race whose second access comes after a sleep, with the first access made before that sleep was over, is told as well as
// what it is: a sleep used as synchronisation. Not so if the thread had read there before, or anything else that another
// thread then wrote without order: it polls.
#pragma once

#include "analysis/shadow.h"
#include "base/per_thread.h"
#include "detect/detector.h"

namespace heddle {

class FastTrack final : public Detector {
 public:
  constexpr FastTrack() = default;

  void begin_run(const DetectorContext& context) override;
  void on(const Event& event) override;
  std::uint64_t dropped() const override;

 private:
  struct Access {
    SiteId site;
    std::uint32_t next;
    std::uint32_t tick;
    std::uint32_t step;
    ThreadId thread;
    std::uint8_t mask;
    EventKind kind;
  };

  void granule(const Event& event, std::uint64_t granule, std::uint8_t mask, EventKind kind);
  struct Sleep {
    SiteId site;  // 0: none yet
    std::uint64_t woke;
    bool polls;
  };

  void report(const Access& earlier, const Event& event, std::uint64_t granule, std::uint8_t bytes);
  bool slept_for_it(const Access& earlier, const Event& event, std::uint32_t head);

  DetectorContext context_ = {};
  Shadow<Access> shadow_;
  PerThread<Sleep, kMaxThreads> sleeps_;  // the last of each thread
};

}  // namespace heddle
