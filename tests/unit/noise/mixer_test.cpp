#include "noise/mixer.h"

#include <gtest/gtest.h>

#include <vector>

#include "scripted.h"

namespace heddle {
namespace {

using scripted::after;
using scripted::everywhere;
using scripted::read;
using scripted::Stage;

NoiseSettings sleeping(std::uint32_t frequency, std::uint32_t low = 5, std::uint32_t high = 20) {
  NoiseSettings settings = everywhere("random-all");
  settings.frequency = frequency;
  settings.seeding = scripted::seeding("sleep", low, high);
  return settings;
}

std::vector<std::uint64_t> amounts(const NoiseSettings& settings, std::uint64_t seed, int events) {
  Stage stage(settings, seed);
  std::vector<std::uint64_t> result;
  for (int i = 0; i < events; ++i) result.push_back(stage.at(read(1, 8)).amount);
  return result;
}

TEST(NoiseMixer, WithoutAPlacementDisturbsNothing) {
  Stage stage(NoiseSettings{});
  EXPECT_TRUE(stage.begun());
  EXPECT_FALSE(stage.mixer().active());
  EXPECT_FALSE(stage.disturbs(read(1, 8)));
  EXPECT_EQ(stage.mixer().gap(stage.noise(1), stage.prng(1)), Gap::kNever);
}

TEST(NoiseMixer, AFrequencyOf0StaysNeverHoweverOftenAskedFor) {
  Stage stage(sleeping(0));
  EXPECT_FALSE(stage.mixer().looks_at(EventPhase::before));
  for (int i = 0; i < 100; ++i) {
    EXPECT_EQ(stage.mixer().gap(stage.noise(1), stage.prng(1)), Gap::kNever);
    EXPECT_FALSE(stage.disturbs(read(1, 8)));
  }
}

TEST(NoiseMixer, RefusesAnUnknownName) {
  EXPECT_FALSE(Stage(everywhere("random-none")).begun());
  NoiseSettings settings = everywhere("random-all");
  settings.seeding = scripted::seeding("snore", 1, 1);
  Stage stage(settings);
  EXPECT_FALSE(stage.begun());
  EXPECT_FALSE(stage.disturbs(read(1, 8)));
}

TEST(NoiseMixer, DisturbsOnlyInTheWantedPhase) {
  NoiseSettings settings = everywhere("random-all");
  const Event event = read(1, 8);
  settings.when = NoiseWhen::before;
  EXPECT_EQ(Stage(settings).play({event, after(event)}), "!.");
  settings.when = NoiseWhen::after;
  EXPECT_EQ(Stage(settings).play({event, after(event)}), ".!");
  settings.when = NoiseWhen::both;
  EXPECT_EQ(Stage(settings).play({event, after(event)}), "!!");
}

TEST(NoiseMixer, LeavesFunctionsAndAllocationsAlone) {
  using scripted::event;
  EXPECT_EQ(Stage(everywhere("random-all"))
                .play({event(1, EventKind::function_enter, 0), event(1, EventKind::allocate, 0),
                       event(1, EventKind::mutex_lock, 8), event(1, EventKind::atomic_load, 8),
                       event(1, EventKind::freed, 8), event(1, EventKind::function_exit, 0)}),
            "..!!!.");
}

TEST(NoiseMixer, DisturbsAtTheGivenFrequency) {
  int disturbed = 0;
  for (const std::uint64_t amount : amounts(sleeping(150), 3, 100'000)) disturbed += amount != 0;
  EXPECT_NEAR(disturbed, 15'000, 700);
}

TEST(NoiseMixer, GivesAThreadTheSameNoiseForTheSameSeedWhateverOthersDo) {
  const auto alone = amounts(sleeping(200), 42, 2000);
  EXPECT_EQ(alone, amounts(sleeping(200), 42, 2000));
  EXPECT_NE(alone, amounts(sleeping(200), 43, 2000));
  Stage crowded(sleeping(200), 42);
  std::vector<std::uint64_t> among_others;
  for (int i = 0; i < 2000; ++i) {
    crowded.at(read(2, 8));
    among_others.push_back(crowded.at(read(1, 8)).amount);
    if (i % 3 == 0) crowded.at(read(3, 16));
  }
  EXPECT_EQ(alone, among_others);
}

TEST(NoiseMixer, GapAndAtTogetherDecideAsAtAlone) {
  NoiseSettings settings = sleeping(50);
  settings.quiet = 100;
  settings.quiet_length = 40;
  const auto expected = amounts(settings, 9, 5000);
  Stage stage(settings, 9);
  std::vector<std::uint64_t> found;
  std::uint64_t skip = stage.mixer().gap(stage.noise(1), stage.prng(1));
  for (int i = 0; i < 5000; ++i) {
    const bool comes_back_early = i % 17 == 0;
    if (skip > 0 && !comes_back_early) {
      --skip;
      found.push_back(0);
      continue;
    }
    stage.mixer().put_back(stage.noise(1), skip);
    found.push_back(stage.at(read(1, 8)).amount);
    skip = stage.mixer().gap(stage.noise(1), stage.prng(1));
  }
  EXPECT_EQ(expected, found);
}

TEST(NoiseMixer, DrawsStrengthFromTheIntervalAndKeepsAFixedOne) {
  std::uint64_t least = ~0ULL;
  std::uint64_t most = 0;
  for (const std::uint64_t amount : amounts(sleeping(1000), 5, 2000)) {
    least = std::min(least, amount);
    most = std::max(most, amount);
  }
  EXPECT_EQ(least, 5'000'000u);
  EXPECT_EQ(most, 20'000'000u);
  for (const std::uint64_t amount : amounts(sleeping(1000, 7, 7), 5, 100))
    EXPECT_EQ(amount, 7'000'000u);
}

TEST(NoiseMixer, RepeatsLikeTheLoopOfRstest) {
  // while (prng < 0.5) yield(): each disturbance has on average one more, and any number can come.
  NoiseSettings settings = everywhere("random-all");
  settings.repeat = 500;
  std::uint64_t sum = 0;
  std::uint64_t most = 0;
  for (const std::uint64_t amount : amounts(settings, 5, 20'000)) {
    ASSERT_GE(amount, 1u);
    sum += amount;
    most = std::max(most, amount);
  }
  EXPECT_NEAR(static_cast<double>(sum) / 20'000, 2.0, 0.1);
  EXPECT_GT(most, 8u);
}

TEST(NoiseMixer, ARepeatOf1000Ends) {
  NoiseSettings settings = everywhere("random-all");
  settings.repeat = 1000;
  EXPECT_LE(amounts(settings, 1, 1)[0], 1000u);
}

TEST(NoiseMixer, LeavesQuietStretchesThatFrequencyAloneWouldNot) {
  NoiseSettings settings = sleeping(500);
  settings.quiet = 100;
  settings.quiet_length = 200;
  int longest = 0;
  int stretches = 0;
  int run = 0;
  int disturbed = 0;
  for (const std::uint64_t amount : amounts(settings, 5, 50'000)) {
    run = amount == 0 ? run + 1 : 0;
    longest = std::max(longest, run);
    stretches += run == 200;
    disturbed += amount != 0;
  }
  EXPECT_GE(longest, 200);
  EXPECT_LT(longest, 700);
  // A disturbance is followed by a stretch one time in ten: 22 events for each disturbance.
  EXPECT_NEAR(disturbed, 50'000 / 22, 300);
  EXPECT_NEAR(stretches, disturbed / 10, 60);
}

TEST(ReadWrite, HasItsOwnSeedingForReadsWritesAndSynchronisation) {
  NoiseSettings settings = everywhere("read/write");
  settings.reads = scripted::seeding("yield", 10, 10);
  settings.writes = scripted::seeding("sleep", 20, 20);
  settings.sync = scripted::seeding("none", 0, 0);
  Stage stage(settings);
  EXPECT_EQ(stage.at(read(1, 8)).kind, DisturbanceKind::yield);
  EXPECT_EQ(stage.at(scripted::write(1, 8)).amount, 20'000'000u);
  EXPECT_EQ(stage.at(scripted::event(1, EventKind::atomic_rmw, 8)).kind, DisturbanceKind::sleep);
  EXPECT_FALSE(stage.at(scripted::lock(1, 16)));
}

TEST(ReadWrite, HasItsOwnFrequencyForReadsAndWrites) {
  NoiseSettings settings = everywhere("read/write");
  settings.frequency = 100;
  settings.writes = scripted::seeding("yield", 1, 1);
  settings.writes.frequency = 400;
  Stage stage(settings);
  int reads = 0;
  int writes = 0;
  for (int i = 0; i < 20'000; ++i) {
    reads += stage.disturbs(read(1, 8));
    writes += stage.disturbs(scripted::write(1, 8));
  }
  EXPECT_NEAR(reads, 2000, 250);
  EXPECT_NEAR(writes, 8000, 500);
}

TEST(NoiseMixer, CombinesABasicSeedingWithTheAdvancedOnesNowAndThen) {
  NoiseSettings settings = everywhere("random-all");
  settings.halt_one_thread = scripted::seeding("haltOneThread", 100, 100);
  settings.inverse_noise = scripted::seeding("inverseNoise", 20, 20);
  Stage stage(settings);
  int kinds[16] = {};
  for (int i = 0; i < 16'000; ++i) ++kinds[static_cast<int>(stage.at(read(1, 8)).kind)];
  EXPECT_NEAR(kinds[static_cast<int>(DisturbanceKind::yield)], 15'000, 200);
  EXPECT_NEAR(kinds[static_cast<int>(DisturbanceKind::halt)], 500, 120);
  EXPECT_NEAR(kinds[static_cast<int>(DisturbanceKind::inverse)], 500, 120);
}

TEST(NoiseMixer, AnAdvancedSeedingAloneTakesEveryPlace) {
  NoiseSettings settings = everywhere("random-all");
  settings.seeding = scripted::seeding("none", 0, 0);
  settings.inverse_noise = scripted::seeding("inverseNoise", 20, 20);
  Stage stage(settings);
  for (int i = 0; i < 100; ++i) {
    const Disturbance disturbance = stage.at(read(1, 8));
    EXPECT_EQ(disturbance.kind, DisturbanceKind::inverse);
    EXPECT_EQ(disturbance.amount, 20u);
  }
}

std::uint64_t now = 0;
std::uint64_t test_clock() { return now; }

// A program of one thread that has `events` events, each of so many nanoseconds: the share of its time that noise adds.
double slowdown(Stage& stage, std::uint64_t events, std::uint64_t length) {
  now = 1;
  for (std::uint64_t i = 0; i < events; ++i) {
    now += length;
    Event event = scripted::read(1, 8, i % 500);
    event.step = i;
    const Disturbance disturbance = stage.at(event);
    if (!disturbance) continue;
    stage.mixer().budget()->noise_begins();
    now += disturbance.amount;
    stage.mixer().budget()->noise_ends();
  }
  return static_cast<double>(now) / static_cast<double>(events * length) - 1;
}

TEST(NoiseMixer, ABudgetIsWhatNoiseMayCostTheProgram) {
  NoiseSettings settings = sleeping(1000, 2, 2);
  settings.budget_percent = 20;
  Stage stage(settings, 3, test_clock);
  EXPECT_NEAR(slowdown(stage, 100'000, 20'000), 0.20, 0.02);
  EXPECT_GT(stage.noise(1).refused, 0u);
}

TEST(NoiseMixer, AThreadThatMayNotBeDisturbedSeldomAsks) {
  NoiseSettings settings = sleeping(1000, 5, 5);
  settings.budget_percent = 20;
  Stage stage(settings, 3, test_clock);
  EXPECT_NEAR(slowdown(stage, 5'000'000, 100), 0.20, 0.05);
  EXPECT_LT(stage.noise(1).refused, 50'000u);
}

TEST(NoiseMixer, WithoutAClockThereIsNoBudget) {
  NoiseSettings settings = sleeping(1000, 5, 5);
  settings.budget_percent = 20;
  Stage stage(settings, 3, nullptr);
  EXPECT_EQ(stage.mixer().budget(), nullptr);
  EXPECT_TRUE(stage.disturbs(read(1, 8)));
}

TEST(NoiseMixer, WhatPassesIsCountedAsIfItHadBeenShown) {
  NoiseSettings settings = sleeping(100, 1, 9);
  Stage shown(settings, 3);
  Stage passed(settings, 3);
  int passes = 0;
  for (std::uint64_t i = 0; i < 20'000; ++i) {
    const Event event = scripted::read(1, 8, i % 7);
    const Disturbance expected = shown.at(event);
    const bool pass = passed.mixer().passes(event.kind, event.phase, passed.noise(1));
    passes += pass;
    const Disturbance got = pass ? Disturbance{} : passed.at(event);
    ASSERT_EQ(got.kind, expected.kind) << i;
    ASSERT_EQ(got.amount, expected.amount) << i;
  }
  EXPECT_GT(passes, 15'000);
}

TEST(NoiseMixer, ABudgetBacksOffFromPlacesDisturbedOften) {
  NoiseSettings settings = sleeping(1000, 1, 1);
  settings.budget_percent = 50;
  now = 0;
  Stage stage(settings, 3, test_clock);
  int hot = 0;
  int rare = 0;
  int rare_visits = 0;
  const auto comes = [&](std::uint64_t site) {
    now += 300'000;  // what noise does costs nothing here, so it is always within the budget
    Event event = read(1, 8, site);
    event.step = now / 1'000;
    return stage.disturbs(event);
  };
  for (int i = 0; i < 4000; ++i) {
    hot += comes(1);
    if (i % 400 != 200) continue;
    ++rare_visits;
    rare += comes(2);
  }
  EXPECT_LT(hot, 1000);
  EXPECT_GE(rare, rare_visits / 2);
}

}  // namespace
}  // namespace heddle
