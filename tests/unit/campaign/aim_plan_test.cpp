#include "campaign/aim_plan.h"

#include <gtest/gtest.h>

#include <set>
#include <string_view>

#include "coverage/catalog.h"

namespace heddle::campaign {
namespace {

std::uint8_t metric(std::string_view name) {
  std::uint8_t row = 0;
  while (metric_catalog()[row].name != name) ++row;
  return row;
}

RunRecord covers(std::string_view name, std::initializer_list<std::uint64_t> parts) {
  RunRecord record;
  TaskRecord task{};
  task.metric = metric(name);
  for (const std::uint64_t part : parts) task.parts[task.part_count++] = part;
  record.coverage.tasks.push_back(task);
  return record;
}

using Pair = std::pair<std::int64_t, std::int64_t>;
Pair next(AimPlan& plan) {
  const StrategySettings settings = plan.next();
  EXPECT_STREQ(settings.name, "aim");
  return {settings.arguments[0], settings.arguments[1]};
}

TEST(AimPlan, AimsAtEveryWriteWithEveryReadOfOneObject) {
  AimPlan plan;
  plan.learn(covers("reads-from", {1, 10, 20}));
  EXPECT_FALSE(plan.has_target());
  plan.learn(covers("reads-from", {1, 11, 21}));
  plan.learn(covers("reads-from", {2, 12, 22}));  // another object
  std::set<Pair> aimed;
  for (int i = 0; i < 2; ++i) aimed.insert(next(plan));
  EXPECT_EQ(aimed, (std::set<Pair>{{10, 21}, {11, 20}}));
}

TEST(AimPlan, ReleasesAndAcquisitionsOfALockAreAPairToo) {
  AimPlan plan;
  plan.learn(covers("HBPair*", {10, 20, 1, 77, 78}));
  plan.learn(covers("HBPair*", {11, 20, 1, 77, 78}));
  EXPECT_FALSE(plan.has_target());
  plan.learn(covers("HBPair*", {11, 21, 1, 77, 78}));
  EXPECT_EQ(next(plan), Pair(10, 21));
}

TEST(AimPlan, GivesUpAfterSomeTriesAndAtOnceWhenItIsCovered) {
  AimPlan plan;
  plan.learn(covers("reads-from", {1, 10, 20}));
  plan.learn(covers("reads-from", {1, 11, 21}));
  for (std::uint64_t i = 0; i < 2 * AimPlan::kTries - 1; ++i) {
    ASSERT_TRUE(plan.has_target());
    next(plan);
  }
  plan.learn(covers("reads-from", {1, 11, 20}));
  plan.learn(covers("reads-from", {1, 10, 21}));
  EXPECT_FALSE(plan.has_target());
}

TEST(AimPlan, GoesOnWhereItWasLeft) {
  AimPlan plan;
  for (const std::uint64_t i : {1, 2, 3, 4}) plan.learn(covers("reads-from", {1, 10 + i, 20 + i}));
  for (int i = 0; i < 17; ++i) next(plan);
  StateWriter to;
  plan.save(to);
  const std::string bytes = to.take();
  StateReader from(bytes);
  AimPlan again;
  again.restore(from);
  while (plan.has_target()) {
    ASSERT_TRUE(again.has_target());
    EXPECT_EQ(next(plan), next(again));
  }
  EXPECT_FALSE(again.has_target());
}

TEST(AimPlan, OtherMetricsHaveNoPairs) {
  AimPlan plan;
  plan.learn(covers("Sync", {1, 2, 3}));
  plan.learn(covers("Sync", {2, 1, 3}));
  EXPECT_FALSE(plan.has_target());
}

}  // namespace
}  // namespace heddle::campaign
