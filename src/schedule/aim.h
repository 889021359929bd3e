// Aim: makes a pair of places that was never covered happen: what one thread does at the first place is the last that was done to
// the object when another thread does what it does at the second.
//
// Whoever comes to the second place waits until somebody has passed the first; from then on nobody else may touch the object
// before the one who waited. Everybody else runs as under pos. After Joshi et al. and Sen (see confirm.h), for coverage:
// Wolff et al., Greybox Fuzzing for Concurrency Testing (ASPLOS 2024) choose reads-from pairs in the same way.
#pragma once

#include "schedule/pos.h"

namespace heddle {

class Aim final : public Strategy {
 public:
  void begin_run(const StrategyContext& context, Prng& prng) override;
  std::size_t pick(const SchedulePoint& point, Prng& prng) override;

 private:
  bool waits(const PendingOperation& candidate) const;
  std::size_t second_step(const SchedulePoint& point) const;
  std::size_t first_step(const SchedulePoint& point) const;
  std::size_t among_others(const SchedulePoint& point, Prng& prng);
  void run(const PendingOperation& chosen);

  Pos others_;
  SiteId first_{};
  SiteId second_{};
  ObjectId object_{};         // what the first step was done to
  ThreadId by_ = kNoThread;   // who did it; kNoThread: not yet
  bool done_ = false;         // nothing left to aim at
  std::uint64_t yields_ = 0;  // since one of those who wait was let go
  std::uint32_t passed_[kMaxThreads] =
      {};  // the pending operation (by its count) that need wait no longer
};

}  // namespace heddle
