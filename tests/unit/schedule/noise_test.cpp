#include "schedule/noise.h"

#include <gtest/gtest.h>

#include <set>

#include "points.h"

namespace heddle {
namespace {

TEST(NoiseStrategy, LeavesTheRunningThreadAlone) {
  Noise noise;
  Prng prng{1};
  noise.begin_run({}, prng);
  for (int i = 0; i < 100; ++i) {
    EXPECT_EQ(noise.pick(point_at({pending(0), pending(1), pending(2)}, 1), prng), 1u);
  }
}

TEST(NoiseStrategy, WhoFollowsADisturbedThreadIsDrawn) {
  Noise noise;
  Prng prng{1};
  noise.begin_run({}, prng);
  std::set<std::size_t> followed;
  for (int i = 0; i < 100; ++i) {
    followed.insert(
        noise.pick(point_at({pending(0), pending(1), pending(2)}, 1, {.yields = true}), prng));
  }
  EXPECT_EQ(followed, (std::set<std::size_t>{0, 2}));
}

}  // namespace
}  // namespace heddle
