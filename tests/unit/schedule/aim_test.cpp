#include "schedule/aim.h"

#include <gtest/gtest.h>

#include "points.h"

namespace heddle {
namespace {

constexpr std::uint64_t kFirst = 7;
constexpr std::uint64_t kSecond = 8;

class AimTest : public testing::Test {
 protected:
  void begin(std::uint64_t seed) {
    StrategyContext context = with_argument(static_cast<std::int64_t>(kFirst));
    context.settings.arguments[1] = static_cast<std::int64_t>(kSecond);
    prng = Prng{seed};
    aim.begin_run(context, prng);
  }
  std::size_t pick(const std::vector<PendingOperation>& candidates, unsigned current = 0) {
    return aim.pick(point_at(candidates, current), prng);
  }

  Aim aim;
  Prng prng{1};
};

TEST_F(AimTest, TheSecondPlaceWaitsForTheFirst) {
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    begin(seed);
    EXPECT_EQ(pick({pending(0, 1, EventKind::read, kSecond), pending(1, 1, EventKind::write, 9)}),
              1u);
  }
}

TEST_F(AimTest, WhatSomebodyWaitsForGoesFirstAndThenTheOneWhoWaited) {
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    begin(seed);
    const std::vector<PendingOperation> candidates = {pending(0, 1, EventKind::read, kSecond),
                                                      pending(1, 1, EventKind::write, kFirst),
                                                      pending(2, 1, EventKind::write, 9)};
    EXPECT_EQ(pick(candidates), 1u) << "seed " << seed;
    EXPECT_EQ(pick({candidates[0], pending(1, 2, EventKind::write, 9), candidates[2]}), 0u)
        << "seed " << seed;
  }
}

TEST_F(AimTest, NobodyTouchesTheObjectInBetween) {
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    begin(seed);
    ASSERT_EQ(pick({pending(1, 1, EventKind::write, kFirst)}), 0u);
    // Thread 0 is not at the second place yet; thread 2 would overwrite what 1 wrote.
    EXPECT_EQ(pick({pending(0, 5, EventKind::read, 3), pending(2, 1, EventKind::write, 9)}), 0u)
        << "seed " << seed;
  }
}

TEST_F(AimTest, WhoWaitsGoesOnWhenNobodyElseCan) {
  begin(1);
  EXPECT_EQ(pick({pending(0, 1, EventKind::read, kSecond)}), 0u);
}

TEST_F(AimTest, AnotherObjectIsNotThePair) {
  begin(1);
  ASSERT_EQ(pick({pending(1, 1, EventKind::write, kFirst)}), 0u);
  int other = 0;
  for (int i = 0; i < 50; ++i) {
    other +=
        pick({pending(0, 2, EventKind::read, kSecond), pending(2, 5, EventKind::write, 9)}) == 1;
  }
  EXPECT_GT(other, 0) << "the read of another object is nothing to run at once";
}

TEST_F(AimTest, WithoutPlacesItIsPos) {
  Pos pos;
  Prng one{3};
  Prng two{3};
  aim.begin_run({}, one);
  pos.begin_run({}, two);
  for (unsigned i = 0; i < 100; ++i) {
    const std::vector<PendingOperation> candidates = {pending(0, i, EventKind::read, 1),
                                                      pending(1, 1, EventKind::write, 2)};
    EXPECT_EQ(aim.pick(point_at(candidates, 0), one), pos.pick(point_at(candidates, 0), two));
  }
}

}  // namespace
}  // namespace heddle
