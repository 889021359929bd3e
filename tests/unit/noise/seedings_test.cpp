#include <gtest/gtest.h>

#include <map>
#include <set>

#include "noise/seeding/timeout_tamper.h"
#include "scripted.h"

namespace heddle {
namespace {

Disturbance disturb(const char* name, Strength strength, const Event& event) {
  Prng prng(1);
  ThreadNoise thread{};
  const NoiseRow* row = find_noise(NoiseKind::seeding, name);
  return row->seeding().disturb(event, strength, thread, prng);
}

void expect_kind(const char* name, DisturbanceKind kind, std::uint64_t amount_of_3) {
  const Disturbance disturbance = disturb(name, {3, 3}, scripted::read(1, 8));
  EXPECT_EQ(disturbance.kind, kind) << name;
  EXPECT_EQ(disturbance.amount, amount_of_3) << name;
}

TEST(Seedings, CountTheirStrengthInTheUnitOfTheCatalogue) {
  expect_kind("sleep", DisturbanceKind::sleep, 3'000'000);
  expect_kind("wait", DisturbanceKind::wait, 3'000'000);
  expect_kind("busyWait", DisturbanceKind::busy_wait, 3'000'000);
  expect_kind("barrier", DisturbanceKind::barrier, 3'000'000);
  expect_kind("haltOneThread", DisturbanceKind::halt, 3'000'000);
  expect_kind("yield", DisturbanceKind::yield, 3);
  expect_kind("synchYield", DisturbanceKind::synch_yield, 3);
  expect_kind("inverseNoise", DisturbanceKind::inverse, 3);
}

TEST(Barrier, HoldsThreadsAtVariablesOnly) {
  EXPECT_TRUE(disturb("barrier", {1, 1}, scripted::write(1, 8)));
  EXPECT_TRUE(disturb("barrier", {1, 1}, scripted::event(1, EventKind::atomic_rmw, 8)));
  EXPECT_FALSE(disturb("barrier", {1, 1}, scripted::lock(1, 8)));
}

TEST(Mixed, DrawsEachOfTheFiveBasicOnesAboutEquallyOften) {
  Prng prng(3);
  ThreadNoise thread{};
  Seeding& mixed = find_noise(NoiseKind::seeding, "mixed")->seeding();
  std::map<DisturbanceKind, int> seen;
  for (int i = 0; i < 10'000; ++i)
    ++seen[mixed.disturb(scripted::read(1, 8), {1, 2}, thread, prng).kind];
  EXPECT_EQ(seen.size(), 5u);
  for (const DisturbanceKind kind :
       {DisturbanceKind::yield, DisturbanceKind::sleep, DisturbanceKind::wait,
        DisturbanceKind::busy_wait, DisturbanceKind::synch_yield}) {
    EXPECT_NEAR(seen[kind], 2000, 250) << static_cast<int>(kind);
  }
}

TEST(Priority, ChangesByItsStrengthAndStaysBetweenNormalAndLeastUrgent) {
  Prng prng(3);
  ThreadNoise thread{};
  Seeding& priority = find_noise(NoiseKind::seeding, "priority")->seeding();
  std::uint64_t before = 0;
  std::set<std::uint64_t> levels;
  for (int i = 0; i < 1000; ++i) {
    const Disturbance disturbance = priority.disturb(scripted::read(1, 8), {4, 4}, thread, prng);
    ASSERT_EQ(disturbance.kind, DisturbanceKind::priority);
    ASSERT_LE(disturbance.amount, 19u);
    ASSERT_EQ(
        disturbance.amount > before ? disturbance.amount - before : before - disturbance.amount,
        4u);
    before = disturbance.amount;
    levels.insert(before);
  }
  EXPECT_EQ(levels, (std::set<std::uint64_t>{0, 4, 8, 12, 16}));
}

TEST(TimeoutTamper, ShortensSomeTimeoutsAndLengthensNone) {
  Prng prng(3);
  int whole = 0;
  int below_half = 0;
  int nothing = 0;
  for (int i = 0; i < 10'000; ++i) {
    const std::uint64_t left = tamper_with_timeout(300'000'000, {0, 100}, prng);
    ASSERT_LE(left, 300'000'000u);
    whole += left == 300'000'000;
    below_half += left < 150'000'000;
    nothing += left == 0;
  }
  EXPECT_NEAR(whole, 2500, 300);
  EXPECT_NEAR(below_half, 6250, 300);
  EXPECT_NEAR(nothing, 5000, 300);
}

TEST(TimeoutTamper, IsAskedThroughTheMixerAndOnlyWhenConfigured) {
  NoiseSettings settings = scripted::everywhere("random-all");
  scripted::Stage plain(settings);
  for (int i = 0; i < 100; ++i) EXPECT_EQ(plain.mixer().shorten(1000, plain.prng(1)), 1000u);
  settings.timeout_tamper = scripted::seeding("timeoutTamper", 0, 0);
  scripted::Stage tampering(settings);
  int gone = 0;
  for (int i = 0; i < 100; ++i) gone += tampering.mixer().shorten(1000, tampering.prng(1)) == 0;
  EXPECT_GT(gone, 50);
  EXPECT_LT(gone, 95);
}

}  // namespace
}  // namespace heddle
