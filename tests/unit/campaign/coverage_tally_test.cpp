#include "campaign/coverage_tally.h"

#include <gtest/gtest.h>

#include "campaign/coverage_missing.h"
#include "campaign/store/coverage_rows.h"
#include "coverage/catalog.h"
#include "host/files.h"

namespace heddle::campaign {
namespace {

std::uint8_t row_of(std::string_view name) {
  return static_cast<std::uint8_t>(find_metric(name) - metric_catalog().data());
}

TaskRecord task(std::string_view metric, std::uint64_t feature,
                std::initializer_list<PartKey> parts) {
  TaskRecord record{};
  record.feature = Feature{feature};
  record.metric = row_of(metric);
  record.weight = 1;
  for (const PartKey& part : parts) {
    record.kinds[record.part_count] = part.first;
    record.parts[record.part_count++] = part.second;
  }
  return record;
}

RunRecord run(std::uint64_t number, std::vector<std::uint64_t> features,
              std::vector<TaskRecord> tasks = {}) {
  RunRecord record;
  record.input.plan.run = number;
  record.coverage.features = std::move(features);
  record.coverage.tasks = std::move(tasks);
  return record;
}

constexpr PartKey kPlace{PartKind::place, 7};
constexpr PartKey kVisited{PartKind::word, 0};
constexpr PartKey kBlocked{PartKind::word, 2};

TEST(CoverageTally, CountsTasksRunsAndTheLastNewOne) {
  CoverageTally tally;
  const TaskRecord visited = task("Sync", 11, {kPlace, kVisited});
  const TaskRecord blocked = task("Sync", 13, {kPlace, kBlocked});
  EXPECT_EQ(tally.merge(run(1, {11}, {visited})), 1u);
  EXPECT_EQ(tally.merge(run(2, {11})), 0u);
  EXPECT_EQ(tally.merge(run(3, {11, 13}, {blocked})), 1u);
  const CoverageTally::MetricTotal* const total = tally.find(row_of("Sync"));
  ASSERT_NE(total, nullptr);
  EXPECT_EQ(total->tasks, 2u);
  EXPECT_EQ(total->last_new_run, 3u);
  EXPECT_EQ(total->once, 1u);
  EXPECT_EQ(total->new_runs, (std::vector<std::uint64_t>{1, 3}));
}

TEST(CoverageTally, PlacesOfOneFunctionAreOneTask) {
  CoverageTally tally;
  const PartKey first{PartKind::function, 100};
  const PartKey second{PartKind::function, 200};
  tally.names().put(first, "push");
  tally.names().put(second, "push");
  EXPECT_EQ(tally.merge(run(1, {11, 13},
                            {task("method", 11, {first, {PartKind::word, 1}}),
                             task("method", 13, {second, {PartKind::word, 1}})})),
            1u);
  EXPECT_EQ(tally.merge(run(2, {13})), 0u);
  EXPECT_EQ(tally.find(row_of("method"))->tasks, 1u);
}

TEST(CoverageTally, ComesBackFromTheStore) {
  const Result<TemporaryDirectory> directory = TemporaryDirectory::create("heddle-test");
  auto store = *Store::open(directory->path() / "campaign.sqlite");
  ASSERT_TRUE(store->begin_campaign({"/bin/prog", "abc", "{}", "controlled", "pos", 1}));
  CoverageTally tally;
  tally.names().put(kPlace, "never used: learn() finds names");
  tally.merge(run(1, {11}, {task("Sync", 11, {kPlace, kVisited})}));
  tally.merge(run(4, {11, 13}, {task("Sync", 13, {kPlace, kBlocked})}));
  ASSERT_TRUE(put_coverage(*store, tally));
  CoverageTally again;
  ASSERT_TRUE(load_coverage(*store, again));
  const CoverageTally::MetricTotal* const total = again.find(row_of("Sync"));
  ASSERT_NE(total, nullptr);
  EXPECT_EQ(total->new_runs, (std::vector<std::uint64_t>{1, 4}));
  EXPECT_EQ(total->once, 1u);
  EXPECT_EQ(total->twice, 1u);
}

TEST(CoverageText, FollowsTheCataloguesForm) {
  CoverageNames names;
  names.put(kPlace, "push queue.cpp:7");
  names.put({PartKind::object, 1}, "queue.size");
  names.put({PartKind::object, 2}, "queue.lock");
  EXPECT_EQ(names.text(task("Sync", 1, {kPlace, kBlocked})), "push queue.cpp:7 blocked");
  EXPECT_EQ(names.text(task("Eraser", 1, {kPlace, {PartKind::object, 1}, {PartKind::word, 3}})),
            "push queue.cpp:7 uses queue.size, shared, guarded by nothing");
  EXPECT_EQ(
      names.text(task("Eraser", 1,
                      {kPlace, {PartKind::object, 1}, {PartKind::word, 4}, {PartKind::object, 2}})),
      "push queue.cpp:7 uses queue.size, modified, guarded by queue.lock");
}

TEST(CoverageMissing, NamesWhatItsPartsSuggest) {
  CoverageNames names;
  names.put(kPlace, "push");
  const PartKey x{PartKind::object, 1};
  const auto place = [&](std::uint64_t line) {
    const PartKey key{PartKind::place, line};
    names.put(key, "line " + std::to_string(line));
    return key;
  };
  names.put(x, "x");
  const std::vector<TaskRecord> sync{task("Sync", 1, {kPlace, kVisited}),
                                     task("Sync", 2, {kPlace, kBlocked})};
  EXPECT_EQ(missing_tasks(row_of("Sync"), sync, names), std::vector<std::string>{"push blocking"});
  const std::vector<TaskRecord> pairs{task("DUPairs", 1, {x, place(1), place(3)}),
                                      task("DUPairs", 2, {x, place(2), place(4)})};
  EXPECT_EQ(
      missing_tasks(row_of("DUPairs"), pairs, names),
      (std::vector<std::string>{"x written line 1, read line 4", "x written line 2, read line 3"}));
  const std::vector<TaskRecord> methods{
      task("method-pair", 1, {{PartKind::function, 1}, {PartKind::function, 2}})};
  names.put({PartKind::function, 1}, "push");
  names.put({PartKind::function, 2}, "pop");
  EXPECT_EQ(missing_tasks(row_of("method-pair"), methods, names),
            std::vector<std::string>{"pop interrupted by push"});
}

}  // namespace
}  // namespace heddle::campaign
