#include "schedule/pct.h"

#include <gtest/gtest.h>

#include <set>

#include "model_campaign.h"
#include "points.h"

namespace heddle {
namespace {

TEST(Pct, AtDepthOneOnlyBlockingSwitches) {
  Pct pct;
  Prng prng{3};
  pct.begin_run(with_argument(1), prng);
  const std::vector<PendingOperation> candidates = {pending(0), pending(1), pending(2)};
  const std::size_t first = pct.pick(point_at(candidates, 0), prng);
  for (std::uint64_t step = 2; step < 500; ++step) {
    EXPECT_EQ(
        pct.pick(point_at(candidates, static_cast<std::uint16_t>(first), {.step = step}), prng),
        first);
  }
}

TEST(Pct, EveryOrderOfThreadsComesUp) {
  std::set<std::size_t> firsts;
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    Pct pct;
    Prng prng{seed};
    pct.begin_run(with_argument(1), prng);
    firsts.insert(pct.pick(point_at({pending(0), pending(1), pending(2)}, 0), prng));
  }
  EXPECT_EQ(firsts.size(), 3u);
}

TEST(Pct, DepthDMakesAtMostDMinusOneSwitchesAwayFromARunningThread) {
  const std::vector<PendingOperation> candidates = {pending(0), pending(1), pending(2), pending(3)};
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    Pct pct;
    Prng prng{seed};
    StrategyContext context = with_argument(4);
    context.settings.expected_steps = 100;
    pct.begin_run(context, prng);
    std::uint16_t current = 0;
    int switches = 0;
    for (std::uint64_t step = 1; step <= 200; ++step) {
      const std::size_t next = pct.pick(point_at(candidates, current, {.step = step}), prng);
      switches += step > 1 && next != current;
      current = static_cast<std::uint16_t>(next);
    }
    EXPECT_LE(switches, 3) << "seed " << seed;
  }
}

// Burckhardt et al.: a bug of depth d shows with probability at least 1/(n k^(d-1)). deadlock01 has d = 2.
TEST(Pct, KeepsItsGuaranteeOnADeadlockOfTwoLocks) {
  const model::Program program = model::deadlock01();
  model::Memory memory;
  StrategyContext context = with_argument(2);
  context.settings.expected_steps = 20;
  int found = 0;
  constexpr int kRuns = 2000;
  for (std::uint64_t seed = 1; seed <= kRuns; ++seed) {
    model::World world;
    found += world.run(program.main, find_strategy("pct")->instance(), context, seed).failed;
  }
  EXPECT_GE(found, kRuns / (3 * 20)) << "3 threads, 20 steps";
}

}  // namespace
}  // namespace heddle
