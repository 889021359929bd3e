#include "campaign/dfs_plan.h"

#include <gtest/gtest.h>

#include <set>

#include "../schedule/model_campaign.h"

namespace heddle::campaign {
namespace {

struct Explored {
  std::uint64_t runs = 0;
  std::uint64_t first_failure = 0;  // 0: none
  std::set<std::uint64_t> behaviours;
  std::set<std::vector<std::uint64_t>> schedules;
  bool bounded = false;
};

// Runs the whole plan over a model.
Explored explore(const model::Body& body, std::uint32_t preemptions) {
  DfsPlan plan{preemptions};
  Explored explored;
  Strategy& dfs = find_strategy("dfs")->instance();
  while (const auto prefix = plan.next()) {
    model::World world;
    StrategyContext context{model::settings("dfs"), {}, prefix->choices, {}};
    const model::World::Result result = world.run(body, dfs, context, 1);
    ++explored.runs;
    if (result.failed && explored.first_failure == 0) explored.first_failure = explored.runs;
    explored.behaviours.insert(result.schedule_hash);
    std::vector<std::uint64_t> schedule;
    for (const Decision& decision : result.decisions) {
      schedule.push_back(decision.step << 16 | decision.to.value);
    }
    explored.schedules.insert(schedule);
    plan.ran(*prefix, result.widths);
    if (explored.runs > 100'000) break;
  }
  EXPECT_TRUE(plan.complete());
  explored.bounded = plan.bounded();
  return explored;
}

// Two threads of `a` and `b` writes to one object.
model::Body two_writers(int a, int b) {
  const auto writer = [](int count) -> model::Body {
    return [count](model::World& w) -> model::Task {
      for (int i = 0; i < count; ++i) co_await w.write(1, i);
    };
  };
  return model::start_and_join({writer(a), writer(b)});
}

TEST(DfsPlan, RunsNoScheduleTwice) {
  const Explored explored = explore(two_writers(2, 2), 100);
  EXPECT_EQ(explored.schedules.size(), explored.runs);
  EXPECT_FALSE(explored.bounded);
}

TEST(DfsPlan, ReachesEveryOrderOfConflictingWrites) {
  // Interleavings of 2 and 3 ordered writes: (5 choose 2).
  EXPECT_EQ(explore(two_writers(2, 3), 100).behaviours.size(), 10u);
}

TEST(DfsPlan, WithoutPreemptionsOnlyWhoFollowsIsChosen) {
  const Explored explored = explore(two_writers(3, 3), 0);
  EXPECT_TRUE(explored.bounded);
  EXPECT_EQ(explored.behaviours.size(), 2u);
}

TEST(DfsPlan, FindsADeadlockOfTwoLocksWithOnePreemption) {
  EXPECT_EQ(explore(model::deadlock01().main, 0).first_failure, 0u);
  EXPECT_NE(explore(model::deadlock01().main, 1).first_failure, 0u);
}

TEST(DfsPlan, FewerPreemptionsComeFirst) {
  DfsPlan plan{2};
  std::uint32_t last = 0;
  Strategy& dfs = find_strategy("dfs")->instance();
  const model::Body body = two_writers(2, 2);
  while (const auto prefix = plan.next()) {
    EXPECT_GE(prefix->preemptions, last);
    last = prefix->preemptions;
    model::World world;
    StrategyContext context{model::settings("dfs"), {}, prefix->choices, {}};
    plan.ran(*prefix, world.run(body, dfs, context, 1).widths);
  }
  EXPECT_EQ(last, 2u);
}

TEST(DfsPlan, DoesNotStayWithAThreadThatGivesWay) {
  const model::Body polling =
      model::start_and_join({[](model::World& w) -> model::Task {
                               for (;;) {
                                 const long ready = co_await w.read(1);
                                 if (ready != 0) co_return;
                                 co_await w.yield();
                               }
                             },
                             [](model::World& w) -> model::Task { co_await w.write(1, 1); }});
  const Explored explored = explore(polling, 2);
  EXPECT_LT(explored.runs, 1000u);
  EXPECT_EQ(explored.first_failure, 0u);
}

}  // namespace
}  // namespace heddle::campaign
