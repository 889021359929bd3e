#include "campaign/learned.h"

#include <gtest/gtest.h>

#include <cstring>

#include "campaign/plan_maker.h"

namespace heddle::campaign {
namespace {

ThreadRecord thread(std::uint16_t parent, std::uint64_t path, std::uint64_t points) {
  ThreadRecord record{};
  record.parent = ThreadId{parent};
  record.path_hash = path;
  record.points = points;
  return record;
}

TEST(Learned, SumsTheSubtreeOfEveryThread) {
  RunRecord run;
  run.threads = {thread(0xffff, 10, 5), thread(0, 20, 3), thread(1, 30, 4)};
  Learned learned;
  learned.merge(run);
  const std::vector<ThreadProfile> profile = learned.profile();
  ASSERT_EQ(profile.size(), 3u);
  EXPECT_EQ(profile[0].points_subtree, 12u);
  EXPECT_EQ(profile[1].points_subtree, 7u);
  EXPECT_EQ(profile[1].parent_path_hash, 10u);
  EXPECT_EQ(profile[2].points_subtree, 4u);
}

TEST(Learned, KeepsPointsInTheOrderTheyWereFoundAndEachOnce) {
  RunRecord run;
  run.new_points = {ObjectId{7}, ObjectId{3}};
  Learned learned;
  learned.merge(run);
  run.new_points = {ObjectId{3}, ObjectId{1}};
  learned.merge(run);
  EXPECT_EQ(learned.points(), (std::vector<ObjectId>{ObjectId{7}, ObjectId{3}, ObjectId{1}}));
}

TEST(Learned, ExpectsTheMedianNumberOfSteps) {
  Learned learned;
  for (const std::uint64_t steps : {10, 1000, 20}) {
    RunRecord run;
    run.outcome.steps = steps;
    learned.merge(run);
  }
  EXPECT_EQ(learned.expected_steps(), 20u);
}

TEST(Learned, KeepsEveryNoiseLessonOnceAndSumsTheTasksOfAPlace) {
  RunRecord run;
  run.lessons = {{LessonKind::shared, 9, 0}, {LessonKind::sync_task, 5, 1}};
  Learned learned;
  learned.merge(run);
  run.lessons = {
      {LessonKind::shared, 3, 0}, {LessonKind::shared, 9, 0}, {LessonKind::sync_task, 5, 4}};
  learned.merge(run);
  const std::vector<NoiseLesson> shared = learned.lessons(LessonKind::shared);
  ASSERT_EQ(shared.size(), 2u);
  EXPECT_EQ(shared[0].first, 3u);
  EXPECT_EQ(shared[1].first, 9u);
  const std::vector<NoiseLesson> tasks = learned.lessons(LessonKind::sync_task);
  ASSERT_EQ(tasks.size(), 1u);
  EXPECT_EQ(tasks[0].second, 5u);
  EXPECT_TRUE(learned.lessons(LessonKind::unprotected).empty());
}

TEST(PlanMaker, TellsARunTheLessonsOfItsOwnPlacementOnly) {
  RunRecord run;
  run.lessons = {{LessonKind::shared, 9, 0}, {LessonKind::coverage_target, 4, 0}};
  Learned learned;
  learned.merge(run);
  const auto lessons = [&](const char* noise) {
    RunOptions options;
    options.noise = *parse_noise(noise);
    return PlanMaker(options, 1).make(2, {}, snapshot(learned)).lessons;
  };
  ASSERT_TRUE(lessons("placement=sharedVar-one,seeding=sleep"));
  EXPECT_EQ(lessons("placement=sharedVar-one,seeding=sleep")->front().first, 9u);
  EXPECT_EQ(lessons("placement=coverage,seeding=sleep")->front().first, 4u);
  EXPECT_FALSE(lessons("placement=random-all,seeding=sleep"));
  EXPECT_FALSE(lessons("placement=sync,seeding=sleep"));
}

TEST(PlanMaker, GivesTheSameSeedToTheSameRunAndAnotherToEveryOther) {
  EXPECT_EQ(seed_of_run(1, 5), seed_of_run(1, 5));
  EXPECT_NE(seed_of_run(1, 5), seed_of_run(1, 6));
  EXPECT_NE(seed_of_run(1, 5), seed_of_run(2, 5));
}

TEST(PlanMaker, LetsRunsCountAccessesOnlyForAStrategyThatAsks) {
  const auto wanted = [](const char* strategy, std::uint64_t run) {
    RunOptions options;
    std::strcpy(options.strategy.name, strategy);
    return PlanMaker(options, 1).make(run, {}, {}).want_accesses;
  };
  for (const char* strategy : {"", "portfolio", "reads-from", "surw", "hold"}) {
    EXPECT_TRUE(wanted(strategy, 1)) << strategy;
    EXPECT_FALSE(wanted(strategy, 1001)) << strategy;
    EXPECT_TRUE(wanted(strategy, 1024)) << strategy;
  }
  for (const char* strategy : {"random", "round-robin", "pct", "pos", "noise", "dfs"}) {
    EXPECT_FALSE(wanted(strategy, 1)) << strategy;
  }
}

TEST(PlanMaker, LetsSomeRunsStallButNeverWithoutPermission) {
  RunOptions options;
  const PlanMaker allowed(options, 1);
  options.max_stall_ns = 0;
  const PlanMaker forbidden(options, 1);
  int stalls = 0;
  for (std::uint64_t run = 1; run <= 400; ++run) {
    stalls += (allowed.make(run, {}, {}).plan.flags & kPlanStalls) != 0 ? 1 : 0;
    EXPECT_EQ(forbidden.make(run, {}, {}).plan.flags & kPlanStalls, 0u);
  }
  EXPECT_GT(stalls, 60);
  EXPECT_LT(stalls, 140);
}

}  // namespace
}  // namespace heddle::campaign
