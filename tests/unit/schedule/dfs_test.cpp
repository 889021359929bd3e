// The part inside the program; which prefixes are run is tested in tests/unit/campaign/dfs_plan_test.cpp.
#include "schedule/dfs.h"

#include <gtest/gtest.h>

#include "points.h"

namespace heddle {
namespace {

Decision choice(std::uint64_t step, std::uint16_t rank) {
  Decision result{};
  result.step = step;
  result.kind = DecisionKind::run;
  result.candidates = rank;
  return result;
}

struct Searching {
  explicit Searching(std::vector<Decision> list) : prefix(std::move(list)) {
    StrategyContext context{};
    context.replay = prefix;
    dfs.begin_run(context, prng);
  }
  std::size_t pick(std::uint16_t current, PointSpec spec) {
    return dfs.pick(point_at({pending(0), pending(1), pending(2)}, current, spec), prng);
  }
  std::vector<Decision> prefix;
  Dfs dfs;
  Prng prng{1};
};

TEST(Dfs, RanksCountTheOthersInOrder) {
  Searching run{{choice(1, 1), choice(2, 2), choice(3, 1)}};
  EXPECT_EQ(run.pick(1, {.step = 1}), 0u);
  EXPECT_EQ(run.pick(1, {.step = 2}), 2u);
  EXPECT_EQ(run.pick(0, {.step = 3}), 1u);
}

TEST(Dfs, TakesTheDefaultBetweenAndAfterItsChoices) {
  Searching run{{choice(2, 1)}};
  EXPECT_EQ(run.pick(2, {.step = 1}), 2u);
  EXPECT_EQ(run.pick(2, {.step = 2}), 0u);
  EXPECT_EQ(run.pick(0, {.step = 3}), 0u);
}

TEST(Dfs, AThreadThatGivesWayHasNoRank) {
  // The default is the next in the circle (2), so rank 1 is 0.
  Searching run{{choice(1, 1)}};
  EXPECT_EQ(run.pick(1, {.step = 1, .yields = true}), 0u);
}

TEST(Dfs, AChoiceForAStepThatWasNotSeenIsPassedOver) {
  Searching run{{choice(2, 1), choice(5, 1)}};
  EXPECT_EQ(run.pick(0, {.step = 4}), 0u);
  EXPECT_EQ(run.pick(0, {.step = 5}), 1u);
}

}  // namespace
}  // namespace heddle
