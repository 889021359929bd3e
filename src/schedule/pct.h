// PCT: Burckhardt, Kothari, Musuvathi, Nagarakatte, "A Randomized Scheduler with Probabilistic Guarantees of Finding
// Bugs", ASPLOS 2010. Threads get random distinct priorities, the highest runs; at d-1 steps drawn beforehand the running
// thread falls below all others. A bug of depth d shows with probability at least 1/(n k^(d-1)) for n threads, k steps.
//
// Where we differ: k is the number of scheduling points that earlier runs had (guessed in the first), and a thread that
// yields or spins also falls to the bottom, so that programs that poll make progress.
#pragma once

#include "schedule/stalls.h"
#include "schedule/strategy.h"

namespace heddle {

class Pct final : public Strategy {
 public:
  static constexpr std::size_t kMaxDepth = 32;

  void begin_run(const StrategyContext& context, Prng& prng) override;
  std::size_t pick(const SchedulePoint& point, Prng& prng) override;

 private:
  std::uint64_t& priority(ThreadId thread, Prng& prng);
  void lower_at_change_points(const SchedulePoint& point, Prng& prng);

  Stalls stalls_;
  std::size_t changes_ = 0;
  bool changed_[kMaxDepth] = {};
  std::uint64_t change_step_[kMaxDepth] = {};
  std::uint64_t lowest_ = 0;                    // of those handed out to threads that yielded
  std::uint64_t priorities_[kMaxThreads] = {};  // 0: not seen yet in this run
};

}  // namespace heddle
