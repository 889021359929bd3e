#include "campaign/portfolio.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>

#include "../schedule/model_campaign.h"
#include "schedule/catalog.h"

namespace heddle::campaign {
namespace {

std::string text(const StrategySettings& settings) {
  return std::string{settings.name} + ":" + std::to_string(settings.arguments[0]);
}

TEST(Portfolio, NamesOnlyStrategiesOfTheCatalogue) {
  Portfolio portfolio{1};
  for (std::uint64_t run = 1; run <= 200; ++run) {
    const StrategySettings chosen = portfolio.choose(run, {run == 1 ? 0u : 5u, false});
    const StrategyRow* row = find_strategy(chosen.name);
    ASSERT_NE(row, nullptr) << chosen.name;
    EXPECT_NE(row->instance, nullptr) << chosen.name;
    EXPECT_GE(chosen.arguments[0], row->least_argument);
    EXPECT_LE(chosen.arguments[0], row->most_argument);
  }
}

TEST(Portfolio, IsTheSameForTheSameSeedAndResults) {
  Portfolio a{7};
  Portfolio b{7};
  for (std::uint64_t run = 1; run <= 300; ++run) {
    EXPECT_EQ(text(a.choose(run, {9, false})), text(b.choose(run, {9, false})));
    a.learn(run, {run % 17, true, false});
    b.learn(run, {run % 17, true, false});
  }
}

TEST(Portfolio, UsesEveryStrategyItHas) {
  Portfolio portfolio{1};
  std::map<std::string, int> runs;
  for (std::uint64_t run = 1; run <= 200; ++run) {
    ++runs[portfolio.choose(run, {5, false}).name];
    portfolio.learn(run, {run, true, false});
  }
  for (const char* name : {"pos", "surw", "hold", "pct", "random", "starve"}) {
    EXPECT_GE(runs[name], 5) << name;
  }
}

TEST(Portfolio, GivesMoreRunsToWhatStillFindsNewBehaviour) {
  Portfolio portfolio{1};
  std::map<std::string, int> runs;
  for (std::uint64_t run = 1; run <= 1000; ++run) {
    const std::string name = portfolio.choose(run, {5, false}).name;
    if (run > 500) ++runs[name];
    portfolio.learn(run, {name == "pct" ? run : 0, true, false});  // all others repeat one schedule
  }
  EXPECT_GT(runs["pct"], runs["hold"]);
  EXPECT_GT(runs["pct"], runs["pos"]);
  EXPECT_GT(runs["pos"], 10) << "what looks exhausted keeps a share";
}

TEST(Portfolio, HoldsAtEverySiteInTurn) {
  Portfolio portfolio{1};
  std::int64_t expected = 1;
  for (std::uint64_t run = 1; run <= 100; ++run) {
    const StrategySettings chosen = portfolio.choose(run, {5, false});
    if (std::string_view{chosen.name} == "hold") {
      EXPECT_EQ(chosen.arguments[0], expected++);
    }
  }
  EXPECT_GT(expected, 5);
}

TEST(Portfolio, RoundsCoverAllRunsWithoutGaps) {
  EXPECT_EQ(last_run_of_round(1), 1u);
  std::uint64_t first = 1;
  for (int round = 0; round < 100; ++round) {
    const std::uint64_t last = last_run_of_round(first);
    EXPECT_GE(last, first);
    EXPECT_LE(last - first, std::max<std::uint64_t>(63, first / 16));
    EXPECT_LE(last - first, 511u);
    for (std::uint64_t run = first; run <= last; ++run) EXPECT_EQ(last_run_of_round(run), last);
    first = last + 1;
  }
}

TEST(Portfolio, NeedsFewSchedulesHoweverManyThreads) {
  for (const std::size_t threads : {3u, 10u, 30u}) {
    const model::Mean mean =
        model::mean_schedules(model::reorder(threads, {}), model::settings("portfolio"), 10, 200);
    EXPECT_EQ(mean.found, 10u) << "reorder_" << threads << ", seeds 1 to 10";
    EXPECT_LT(mean.schedules, 30) << "reorder_" << threads << ", seeds 1 to 10";
  }
}

TEST(Portfolio, AimsOnlyWhileThereIsSomethingToAimAt) {
  Portfolio portfolio(1);
  unsigned aimed = 0;
  for (std::uint64_t run = 1; run <= 2000; ++run) {
    const bool uncovered = run % 50 < 25;
    const std::string name = portfolio.choose(run, {5, uncovered}).name;
    portfolio.learn(run, {run, true, false});
    aimed += name == "aim" ? 1 : 0;
    EXPECT_TRUE(uncovered || name != "aim") << "run " << run;
  }
  EXPECT_GT(aimed, 50u);
}

TEST(Portfolio, StallsMoreOftenWhileThatShowsMoreThatIsNew) {
  Portfolio portfolio{1};
  const auto run_ten = [&](std::uint64_t first, bool stalled_finds) {
    for (std::uint64_t run = first; run < first + 10; ++run) {
      portfolio.choose(run, {5, false});
      const bool stalled = run % 4 == 0;
      portfolio.learn(run, {run, stalled == stalled_finds, stalled});
    }
  };
  run_ten(1, true);
  EXPECT_EQ(portfolio.one_in_so_many_stalls(), 2u);
  for (std::uint64_t first = 11; first < 200; first += 10) run_ten(first, false);
  EXPECT_EQ(portfolio.one_in_so_many_stalls(), 4u);
}

}  // namespace
}  // namespace heddle::campaign
