#include <gtest/gtest.h>

#include "scripted.h"

namespace heddle {
namespace {

Disturbance disturb(const char* name, Strength strength) {
  Prng prng(1);
  const NoiseRow* row = find_noise(NoiseKind::seeding, name);
  return row->seeding().disturb(scripted::read(1, 8), strength, prng);
}

TEST(Sleep, LastsItsStrengthInMilliseconds) {
  const Disturbance disturbance = disturb("sleep", {20, 20});
  EXPECT_EQ(disturbance.kind, DisturbanceKind::sleep);
  EXPECT_EQ(disturbance.amount, 20'000'000u);
}

TEST(Yield, HappensStrengthTimes) {
  const Disturbance disturbance = disturb("yield", {3, 3});
  EXPECT_EQ(disturbance.kind, DisturbanceKind::yield);
  EXPECT_EQ(disturbance.amount, 3u);
}

TEST(BusyWait, LoopsItsStrengthInMilliseconds) {
  const Disturbance disturbance = disturb("busyWait", {2, 2});
  EXPECT_EQ(disturbance.kind, DisturbanceKind::busy_wait);
  EXPECT_EQ(disturbance.amount, 2'000'000u);
}

}  // namespace
}  // namespace heddle
