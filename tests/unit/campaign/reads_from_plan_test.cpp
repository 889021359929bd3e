#include "campaign/reads_from_plan.h"

#include <gtest/gtest.h>

namespace heddle::campaign {
namespace {

RunRecord run_with(std::size_t decisions) {
  RunRecord record;
  record.decisions.resize(decisions);
  return record;
}

TEST(ReadsFromPlan, BeginsWithFreshRunsOnly) {
  ReadsFromPlan plan(1);
  for (std::uint64_t run = 1; run <= 20; ++run) {
    StrategyChoice choice;
    plan.choose(run, choice);
    EXPECT_FALSE(choice.follow);
    EXPECT_TRUE(choice.want_decisions);
  }
}

TEST(ReadsFromPlan, KeepsWhatGaveNewPairsAndFollowsAPartOfIt) {
  ReadsFromPlan plan(1);
  plan.learn(run_with(8), 0);
  EXPECT_EQ(plan.kept(), 0u);
  plan.learn(run_with(8), 3);
  ASSERT_EQ(plan.kept(), 1u);
  unsigned followed = 0;
  for (std::uint64_t run = 1; run <= 200; ++run) {
    StrategyChoice choice;
    plan.choose(run, choice);
    if (!choice.follow) continue;
    ++followed;
    EXPECT_LE(choice.follow_count, 8u);
  }
  EXPECT_GT(followed, 70u);
  EXPECT_LT(followed, 130u) << "every second one starts from nothing";
}

TEST(ReadsFromPlan, ComesBackFromItsBytes) {
  ReadsFromPlan plan(5);
  plan.learn(run_with(8), 3);
  plan.learn(run_with(4), 1);
  StrategyChoice choice;
  for (std::uint64_t run = 1; run <= 10; ++run) plan.choose(run, choice);
  StateWriter to;
  plan.save(to);
  const std::string bytes = to.take();
  StateReader from(bytes);
  ReadsFromPlan again(5);
  again.restore(from);
  ASSERT_TRUE(from.ok());
  for (std::uint64_t run = 11; run <= 60; ++run) {
    StrategyChoice a;
    StrategyChoice b;
    plan.choose(run, a);
    again.choose(run, b);
    ASSERT_EQ(a.follow_count, b.follow_count);
    ASSERT_EQ(a.follow ? a.follow->size() : 0, b.follow ? b.follow->size() : 0);
  }
}

}  // namespace
}  // namespace heddle::campaign
