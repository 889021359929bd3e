#include "schedule/surw.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "model_campaign.h"

namespace heddle {
namespace {

// Zhao et al.'s example: one thread with many operations, one with a single one. A random walk puts the single one
// last with chance 2^-n; uniform sampling with 1/(n+1).
model::Body many_and_one(int many) {
  const model::Body worker = [many](model::World& w) -> model::Task {
    for (int i = 0; i < many; ++i) co_await w.add(1, 1);
  };
  const model::Body single = [many](model::World& w) -> model::Task {
    const long before = co_await w.add(1, 0);
    w.require(before != many);
  };
  return model::start_and_join({worker, single});
}

int times_last(const char* strategy, std::int64_t argument, int runs) {
  const model::Body body = many_and_one(15);
  model::Memory memory;
  int last = 0;
  for (int i = 0; i < runs; ++i) {
    model::World world;
    const model::World::Result result = world.run(
        body, find_strategy(strategy)->instance(),
        memory.context(model::settings(strategy, argument)), 100u + static_cast<unsigned>(i));
    if (i == 0) memory.learn(world, result);
    last += result.failed;
  }
  return last;
}

TEST(Surw, PutsALoneOperationAtEachPositionWithEqualChance) {
  // 1/16 of 1600 is 100; the spread of a fair draw is about 10.
  EXPECT_GT(times_last("surw", 0, 1600), 60);
  EXPECT_LT(times_last("surw", 0, 1600), 160);
  EXPECT_LT(times_last("random", 0, 1600), 20) << "a random walk hardly ever does";
}

TEST(Surw, IsARandomWalkWithoutAProfile) {
  const model::Mean mean = model::mean_schedules(model::queue(), model::settings("surw"), 20, 100);
  EXPECT_EQ(mean.found, 20u);
}

TEST(Surw, WeighingRolesDoesNotGetWorseWithMoreThreadsOfOneRole) {
  const StrategySettings surw = model::settings("surw", 1);
  EXPECT_LT(model::mean_schedules(model::reorder(3, {}), surw, 30, 500).schedules, 20);
  EXPECT_LT(model::mean_schedules(model::reorder(30, {}), surw, 30, 500).schedules, 30);
}

}  // namespace
}  // namespace heddle
