// Turns what the user asked for and what was learned so far into the plan of run number n. A pure function of these, so a
// campaign is the same every time.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "campaign/learned.h"
#include "campaign/options.h"
#include "campaign/run_record.h"

namespace heddle::campaign {

// What the plans of one round share.
struct Knowledge {
  SharedList<ObjectId> points;
  SharedList<ThreadProfile> profile;
  SharedList<AccessProfile> accesses;
  std::map<LessonKind, SharedList<NoiseLesson>> lessons;  // kinds without any are not there
  std::uint64_t expected_steps = 0;
  std::uint32_t expected_threads = 0;
  std::uint32_t contended_sites = 0;
  bool release_points = false;
};
Knowledge snapshot(const Learned& learned);

// What a run's schedule comes from.
struct StrategyChoice {
  StrategySettings strategy{};
  SharedList<Decision> prefix;  // dfs: choices to follow, then every point is recorded
  SharedList<Decision> follow;  // reads-from: the first `follow_count` of these, then the strategy
  std::uint64_t follow_count = 0;
  // Stalls make an honest wait_for(5s) look wrong, and hide other bugs behind them: only a part of the runs has them.
  std::uint32_t one_in_so_many_stalls = 4;
  bool want_decisions = false;  // bring back what the run decided
};

class PlanMaker {
 public:
  PlanMaker(const RunOptions& options, std::uint64_t campaign_seed);

  // `choice`: what this run is to use; its expectations are filled in here.
  RunInput make(std::uint64_t run, const StrategyChoice& choice, const Knowledge& knowledge) const;

  std::uint64_t campaign_seed() const { return campaign_seed_; }
  // From now on (pinning.h).
  void pin(std::uint32_t flags) { pinned_ |= flags; }
  std::uint32_t pinned() const { return pinned_; }

 private:
  RunOptions options_;
  std::uint64_t campaign_seed_;
  bool learns_accesses_;
  std::uint32_t pinned_ = 0;  // PlanFlags
};

std::uint64_t seed_of_run(std::uint64_t campaign_seed, std::uint64_t run);

// "pct:3": a strategy as the user would write it.
std::string strategy_text(const StrategySettings& strategy);

// The limit on a controlled run that makes it the same everywhere; the wall-clock deadline is only a safety net.
std::uint64_t step_limit(std::chrono::nanoseconds timeout);

}  // namespace heddle::campaign
