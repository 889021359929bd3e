// Confirm: steers threads into what a detector predicted. Whoever comes to one of the given places waits there until
// somebody has come to another of them, or until nobody else can move.
//
// After Joshi, Park, Sen, Naik: A Randomized Dynamic Program Analysis Technique for Detecting Real Deadlocks (PLDI 2009) and
// Sen: Race Directed Random Testing of Concurrent Programs (PLDI 2008). For locks that are taken in a circle waiting is all
// it takes: each thread holds its outer lock and stands before its inner one. For a race the two accesses are made next to
// each other, in a random order.
#pragma once

#include "schedule/stalls.h"
#include "schedule/strategy.h"

namespace heddle {

class Confirm final : public Strategy {
 public:
  void begin_run(const StrategyContext& context, Prng& prng) override;
  std::size_t pick(const SchedulePoint& point, Prng& prng) override;

 private:
  static constexpr std::size_t kMostPlaces = 3;

  bool waits(const PendingOperation& candidate) const;
  std::size_t meeting(const SchedulePoint& point, Prng& prng);
  void let_go(const PendingOperation& candidate);

  Stalls stalls_;
  SiteId places_[kMostPlaces] = {};
  std::span<SiteId> met_;
  ThreadId next_ = kNoThread;  // the other one of two that met
  std::uint64_t yields_ = 0;   // since one of those who wait was let go
  std::uint32_t passed_[kMaxThreads] =
      {};  // the pending operation (by its count) that need wait no longer
};

}  // namespace heddle
