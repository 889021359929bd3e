#include "schedule/hold.h"

#include <gtest/gtest.h>

#include "model_campaign.h"
#include "points.h"

namespace heddle {
namespace {

// A table with one contended site, visited by the threads given.
std::vector<AccessProfile> table_for(std::uint64_t site,
                                     std::initializer_list<std::uint16_t> threads) {
  std::vector<AccessProfile> table;
  for (const std::uint16_t thread : threads) {
    AccessProfile access{};
    access.site = SiteId{site};
    access.object = make_global(0, 1);
    access.path_hash = 1000u + thread;
    access.count = 1;
    access.kind = EventKind::write;
    access.site_number = 1;
    access.object_number = 1;
    table.push_back(access);
  }
  return table;
}

TEST(Hold, ThreadsAtTheSiteWaitWhileAnyoneElseCanMove) {
  const std::vector<AccessProfile> table = table_for(7, {0, 1});
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    Hold hold;
    Prng prng{seed};
    StrategyContext context = with_argument(1);
    context.accesses = table;
    hold.begin_run(context, prng);
    const std::vector<PendingOperation> candidates = {pending(0, 1, EventKind::write, 7),
                                                      pending(1, 1, EventKind::write, 7),
                                                      pending(2, 1, EventKind::write, 8)};
    EXPECT_EQ(hold.pick(point_at(candidates, 0), prng), 2u) << "seed " << seed;
  }
}

TEST(Hold, ThoseWhoWillComeToTheSiteGoFirst) {
  const std::vector<AccessProfile> table = table_for(7, {1});
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    Hold hold;
    Prng prng{seed};
    StrategyContext context = with_argument(1);
    context.accesses = table;
    hold.begin_run(context, prng);
    const std::vector<PendingOperation> candidates = {pending(0, 1, EventKind::write, 3),
                                                      pending(1, 1, EventKind::write, 4),
                                                      pending(2, 1, EventKind::write, 5)};
    EXPECT_EQ(hold.pick(point_at(candidates, 0), prng), 1u) << "seed " << seed;
  }
}

TEST(Hold, WhenNobodyElseCanMoveOneOfThemGoes) {
  const std::vector<AccessProfile> table = table_for(7, {0, 1});
  Hold hold;
  Prng prng{1};
  StrategyContext context = with_argument(1);
  context.accesses = table;
  hold.begin_run(context, prng);
  const std::vector<PendingOperation> candidates = {pending(0, 1, EventKind::write, 7),
                                                    pending(1, 1, EventKind::write, 7)};
  EXPECT_LT(hold.pick(point_at(candidates, 0), prng), 2u);
}

TEST(Hold, OneRunPerSiteFindsAWindowAmongFortyThreads) {
  const model::Program program = model::reorder(40, {});
  model::Memory memory;
  model::World profiled;
  memory.learn(profiled, profiled.run(program.main, find_strategy("pos")->instance(),
                                      memory.context(model::settings("pos")), 1));
  bool found = false;
  for (std::uint32_t site = 1; site <= memory.sites() && !found; ++site) {
    model::World world;
    found = world
                .run(program.main, find_strategy("hold")->instance(),
                     memory.context(model::settings("hold", site)), site)
                .failed;
  }
  EXPECT_TRUE(found);
}

}  // namespace
}  // namespace heddle
