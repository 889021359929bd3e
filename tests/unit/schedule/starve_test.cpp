#include "schedule/starve.h"

#include <gtest/gtest.h>

#include <set>

#include "points.h"

namespace heddle {
namespace {

TEST(Starve, SomeThreadGetsNoTurnForAWholeStretch) {
  const std::vector<PendingOperation> candidates = {pending(0), pending(1), pending(2), pending(3)};
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    Starve starve;
    Prng prng{seed};
    starve.begin_run(with_argument(100), prng);
    std::set<std::size_t> ran;
    std::uint16_t current = 0;
    for (std::uint64_t step = 1; step <= 25; ++step) {
      const std::size_t next = starve.pick(point_at(candidates, current, {.step = step}), prng);
      ran.insert(next);
      current = static_cast<std::uint16_t>(next);
    }
    EXPECT_LT(ran.size(), candidates.size()) << "seed " << seed;
  }
}

TEST(Starve, EveryThreadRunsInTheEnd) {
  const std::vector<PendingOperation> candidates = {pending(0), pending(1), pending(2)};
  Starve starve;
  Prng prng{1};
  starve.begin_run(with_argument(10), prng);
  std::set<std::size_t> ran;
  std::uint16_t current = 0;
  for (std::uint64_t step = 1; step <= 500; ++step) {
    current = static_cast<std::uint16_t>(
        starve.pick(point_at(candidates, current, {.step = step}), prng));
    ran.insert(current);
  }
  EXPECT_EQ(ran.size(), 3u);
}

}  // namespace
}  // namespace heddle
