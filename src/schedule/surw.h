// SURW: Zhao, Wolff, Mathur, Roychoudhury, "Selectively Uniform Concurrency Testing", ASPLOS 2025. In each run only the
// operations on a few objects are interesting. Which thread does the next interesting operation is drawn with a chance
// proportional to how many each has left (its unborn children's included), which samples their interleavings uniformly;
// threads that stand before an interesting operation out of turn wait; all else is a random walk.
//
// Counts come from earlier runs (StrategyContext::accesses); without any this is a random walk. The objects are drawn
// among contended ones only. surw:0 is the paper's algorithm. surw:1 is ours: now and then two objects, or all that one
// site touches; and in every other run threads that do the same (their first interesting site is the same) share one
// weight, so that the one checker among fifty writers is as likely to come first as all of them together.
#pragma once

#include "schedule/stalls.h"
#include "schedule/strategy.h"

namespace heddle {

class Surw final : public Strategy {
 public:
  void begin_run(const StrategyContext& context, Prng& prng) override;
  std::size_t pick(const SchedulePoint& point, Prng& prng) override;

 private:
  static constexpr std::size_t kMaxChosen = 64;
  static constexpr std::uint16_t kUnknown = 0xffff;

  // What the profile says of a thread, by its position there.
  struct Expected {
    std::uint64_t own;     // weight of the interesting operations left
    std::uint64_t unborn;  // that of descendants not yet seen in this run
    std::uint64_t each;    // weight of one operation
    SiteId role;           // where its first interesting operation is; 0: it has none
    std::uint16_t parent;  // position; kUnknown: none
  };

  void choose_objects(const StrategyContext& context, Prng& prng);
  void find_parents();
  void expect_threads(const StrategyContext& context, Prng& prng);
  void meet(const PendingOperation& candidate, Prng& prng);
  bool interesting(const PendingOperation& candidate) const;
  std::uint64_t weight(ThreadId thread) const;
  void draw_intended(Prng& prng);
  std::size_t draw_among(const SchedulePoint& point, Prng& prng);
  void ran(const PendingOperation& operation, Prng& prng);

  Stalls stalls_;
  std::span<const ThreadProfile> profile_;
  bool varied_ = false;  // surw:1
  ObjectId chosen_[kMaxChosen] = {};
  std::size_t chosen_count_ = 0;
  ThreadId intended_ = kNoThread;
  std::uint32_t met_count_ = 0;  // thread ids below this may have been met
  bool met_[kMaxThreads] = {};
  std::uint16_t position_[kMaxThreads] = {};  // by thread, in the profile
  Expected expected_[kMaxThreads] = {};       // by position
};

}  // namespace heddle
