#include "schedule/catalog.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

#include "model_campaign.h"

namespace heddle {
namespace {

TEST(StrategyCatalog, FindsEveryRowByItsName) {
  std::set<std::string_view> names;
  for (const StrategyRow& row : strategy_catalog()) {
    EXPECT_EQ(find_strategy(row.name), &row);
    EXPECT_TRUE(names.insert(row.name).second) << row.name << " appears twice";
    EXPECT_LT(row.name.size(), sizeof(StrategySettings::name));
    EXPECT_FALSE(row.summary.empty());
    EXPECT_LE(row.least_argument, row.default_argument);
    EXPECT_GE(row.most_argument, row.default_argument);
  }
  EXPECT_EQ(find_strategy("no-such"), nullptr);
}

TEST(StrategyCatalog, HasWhatTheDesignNames) {
  for (const char* name : {"random", "round-robin", "pct", "pos", "surw", "starve", "noise", "dfs",
                           "replay", "portfolio"}) {
    EXPECT_NE(find_strategy(name), nullptr) << name;
  }
}

// The guard against strategies that starve a polling program, pick out of range, or depend on the previous run.
class EveryStrategy : public testing::TestWithParam<std::string> {};

TEST_P(EveryStrategy, LetsAPollingProgramEnd) {
  const model::Body poller = [](model::World& w) -> model::Task {
    for (;;) {
      const long ready = co_await w.read(1);
      if (ready == 2) co_return;
      co_await w.yield();
    }
  };
  const model::Body setter = [](model::World& w) -> model::Task {
    co_await w.lock(2);
    const long value = co_await w.read(1);
    co_await w.write(1, value + 1);
    co_await w.unlock(2);
  };
  const model::Body main = model::start_and_join({poller, setter, poller, setter, poller});
  model::Memory memory;
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    model::World world;
    const model::World::Result result =
        world.run(main, find_strategy(GetParam())->instance(),
                  memory.context(model::settings(GetParam())), seed);
    EXPECT_FALSE(result.livelock) << "seed " << seed;
    EXPECT_FALSE(result.failed) << "seed " << seed;
    if (seed % 10 == 1) memory.learn(world, result);
  }
}

TEST_P(EveryStrategy, GivesTheSameRunForTheSameSeedWhateverRanBefore) {
  const model::Program program = model::twostage(6, {});
  Strategy& strategy = find_strategy(GetParam())->instance();
  const auto run = [&](std::uint64_t seed) {
    model::World world;
    return world.run(program.main, strategy, {model::settings(GetParam()), {}, {}, {}}, seed);
  };
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const model::World::Result first = run(seed);
    run(seed + 1000);
    const model::World::Result again = run(seed);
    ASSERT_EQ(first.decisions.size(), again.decisions.size()) << "seed " << seed;
    for (std::size_t i = 0; i < first.decisions.size(); ++i) {
      EXPECT_EQ(first.decisions[i].step, again.decisions[i].step) << "seed " << seed;
      EXPECT_EQ(first.decisions[i].to, again.decisions[i].to) << "seed " << seed;
    }
  }
}

std::vector<std::string> runnable_strategies() {
  std::vector<std::string> names;
  for (const StrategyRow& row : strategy_catalog()) {
    if (row.instance != nullptr) names.emplace_back(row.name);
  }
  return names;
}

std::string test_name(const testing::TestParamInfo<std::string>& info) {
  std::string name = info.param;
  for (char& c : name) c = c == '-' ? '_' : c;
  return name;
}

INSTANTIATE_TEST_SUITE_P(All, EveryStrategy, testing::ValuesIn(runnable_strategies()), test_name);

}  // namespace
}  // namespace heddle
