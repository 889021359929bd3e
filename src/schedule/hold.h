// Hold: threads that come to one chosen site wait there until nobody else can move (or until another thread has touched
// what they were about to touch). Those known to come there go first, so that they stand there when the others run.
//
// Most bugs are a window between two operations of one thread. Whoever stands in the window while all others run shows
// them, however many threads there are: reorder_100 is no harder than reorder_3. The idea is that of RaceFuzzer (Sen, PLDI
// 2008) and of the "barrier" noise, without needing a race report: the campaign goes through the contended sites that
// earlier runs saw, one per run, so no choice is wasted twice. The later rounds vary who waits, at which visit and how long.
#pragma once

#include "schedule/stalls.h"
#include "schedule/strategy.h"

namespace heddle {

class Hold final : public Strategy {
 public:
  void begin_run(const StrategyContext& context, Prng& prng) override;
  std::size_t pick(const SchedulePoint& point, Prng& prng) override;

 private:
  struct Slot {
    std::uint64_t priority;  // 0: not met
    std::uint32_t visits;    // of the chosen sites
    std::uint32_t passed;    // this pending operation (by its count) need wait no longer
    std::uint32_t counted;   // this pending operation is in `visits`
  };

  void choose_site(const StrategyContext& context, Prng& prng);
  void meet(const PendingOperation& candidate, Prng& prng);
  bool comes_there(std::uint64_t path_hash) const;
  bool holds_at(SiteId site) const;
  bool held(const PendingOperation& candidate);
  void release_those_touched_by(const SchedulePoint& point, std::size_t picked);

  Stalls stalls_;
  std::span<const AccessProfile> accesses_;
  bool visitors_first_ = false;
  SiteId site_ = {};
  SiteId second_site_ = {};
  std::uint64_t salt_ = 0;        // without a profile: sites are drawn by hash
  std::uint32_t one_in_ = 0;      // 0: `site_` it is
  std::uint32_t only_visit_ = 0;  // 0: every visit
  std::uint32_t at_most_ = 0;     // threads held at a time
  bool until_touched_ = false;
  std::uint64_t lowest_ = 0;
  std::uint64_t yields_ = 0;  // since one of those held was let go
  Slot slots_[kMaxThreads] = {};
};

}  // namespace heddle
