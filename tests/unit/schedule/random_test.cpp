#include "schedule/random.h"

#include <gtest/gtest.h>

#include "points.h"

namespace heddle {
namespace {

int kept(std::int64_t stickiness) {
  Random random;
  Prng prng{1};
  random.begin_run(with_argument(stickiness), prng);
  const std::vector<PendingOperation> candidates = {pending(0), pending(1), pending(2), pending(3)};
  int kept = 0;
  for (int i = 0; i < 1000; ++i) kept += random.pick(point_at(candidates, 2), prng) == 2;
  return kept;
}

TEST(Random, WithoutStickinessAllAreEquallyLikely) {
  EXPECT_GT(kept(0), 180);
  EXPECT_LT(kept(0), 320);
}

TEST(Random, KeepsTheRunningThreadAsOftenAsAsked) { EXPECT_GT(kept(90), 880); }

TEST(Random, NeverKeepsAThreadThatGivesWay) {
  Random random;
  Prng prng{1};
  random.begin_run(with_argument(99), prng);
  const std::vector<PendingOperation> candidates = {pending(0), pending(1), pending(2)};
  for (int i = 0; i < 200; ++i) {
    EXPECT_NE(random.pick(point_at(candidates, 1, {.yields = true}), prng), 1u);
  }
}

}  // namespace
}  // namespace heddle
