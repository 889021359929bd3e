// Follows recorded decisions; everything between them is the default (contract/decision.h).
//
// A decision is recognised by who decided and how often that thread had come to the scheduler (from, from_step), so it
// survives more or fewer steps of others. What cannot be followed is counted and the first is reported; replay never stops.
// With a strategy to continue with, every point is shown to it as well, so it is in the state it had when the run was
// recorded: it takes over after the last decision (a prefix was asked for) and after drift. Without one the default does.
#pragma once

#include "schedule/strategy.h"

namespace heddle {

class Replay final : public Strategy {
 public:
  // For this run only; call before begin_run. `strategy` has begun its run already.
  void continue_with(Strategy* strategy) { then_ = strategy; }

  void begin_run(const StrategyContext& context, Prng& prng) override;
  std::size_t pick(const SchedulePoint& point, Prng& prng) override;
  std::uint64_t goes_on_for(const SchedulePoint& point) override;

  // For choices the engine makes away from pick() (which waiter wakes, a spurious wake-up): the next decision of this
  // kind by this thread at this count, or null. Found decisions are used up.
  const Decision* take(DecisionKind kind, ThreadId from, std::uint64_t from_step);

  // What was decided up to this step was another process's to follow (runtime/controlled/passing.h).
  void skip_to(std::uint64_t step);

  // The first decision that could not be followed; null while all is well.
  const Decision* first_missed() const { return first_missed_; }
  // What ran instead of first_missed()->to; kNoThread if that is not known.
  ThreadId got_instead() const { return got_instead_; }
  std::size_t followed() const { return followed_; }
  bool finished() const { return followed_ + missed_ >= decisions_.size(); }

 private:
  static bool is_pick(DecisionKind kind) {
    return kind == DecisionKind::run || kind == DecisionKind::timeout;
  }
  const Decision* next_pick(ThreadId thread);
  const Decision* find_pick(const SchedulePoint& point);
  std::size_t follow(const Decision& decision, const SchedulePoint& point);
  void miss(const Decision& decision, ThreadId got);

  std::span<const Decision> decisions_;
  Strategy* then_ = nullptr;
  const Decision* first_missed_ = nullptr;
  ThreadId got_instead_ = kNoThread;
  std::size_t followed_ = 0;
  std::size_t missed_ = 0;
  // Where to look on for each thread's decisions: picks, and all other kinds. A thread's own are in order of from_step.
  std::uint32_t next_pick_[kMaxThreads] = {};
  std::uint32_t next_other_[kMaxThreads] = {};
};

}  // namespace heddle
