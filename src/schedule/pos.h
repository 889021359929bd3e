// POS: Yuan, Yang, Gu, "Partial Order Aware Concurrency Sampling", CAV 2018. Every pending operation has a random score
// and the highest runs; afterwards the operations that race with it (same object, not both reads) draw again. So the
// order of independent operations wastes no randomness, and every partial order has a fair chance.
//
// Where we differ: an operation that becomes possible again (its lock was released) draws afresh, which is the same
// thing seen from the other side; a thread that yields gets the lowest score.
#pragma once

#include "schedule/stalls.h"
#include "schedule/strategy.h"

namespace heddle {

class Pos final : public Strategy {
 public:
  void begin_run(const StrategyContext& context, Prng& prng) override;
  std::size_t pick(const SchedulePoint& point, Prng& prng) override;

 private:
  struct Slot {
    std::uint64_t score;
    std::uint64_t seen;    // the pick that last had it as a candidate; 0: never
    std::uint32_t points;  // tells this pending operation from the thread's next
  };

  Stalls stalls_;
  std::uint64_t picks_ = 0;
  Slot slots_[kMaxThreads] = {};
};

}  // namespace heddle
