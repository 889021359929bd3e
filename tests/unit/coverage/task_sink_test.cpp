// The map of covered features as it grows.
#include "coverage/task_sink.h"

#include <gtest/gtest.h>

#include <memory>

#include "contract/feature.h"
#include "coverage/identities.h"

namespace heddle {
namespace {

class TaskSinkTest : public testing::Test {
 protected:
  void begin_run() {
    ++area->epoch;
    sink.begin_run(*area, identities);
  }
  void cover(std::uint64_t number) { sink.cover(0, 1, Task({at_place(number)})); }

  std::unique_ptr<CoverageArea> area = std::make_unique<CoverageArea>();
  Identities identities;
  TaskSink sink;
};

constexpr std::uint64_t kMany = 5000;

TEST_F(TaskSinkTest, CoversEachTaskOnceARunHoweverManyThereAre) {
  begin_run();
  for (std::uint64_t i = 0; i < kMany; ++i) {
    cover(i);
    cover(i / 2);
  }
  EXPECT_EQ(area->covered_count, kMany);
  EXPECT_EQ(area->described_count, kMany);
  EXPECT_GE(area->slot_count, kMany);
  EXPECT_EQ(area->dropped, 0u);
}

TEST_F(TaskSinkTest, DescribesATaskOnlyInTheFirstRunThatCoversIt) {
  begin_run();
  for (std::uint64_t i = 0; i < kMany; ++i) cover(i);
  begin_run();
  for (std::uint64_t i = 0; i <= kMany; ++i) cover(i);
  EXPECT_EQ(area->covered_count, kMany + 1);
  EXPECT_EQ(area->described_count, 1u);
}

TEST_F(TaskSinkTest, CountsWhatDoesNotFit) {
  begin_run();
  for (std::uint64_t i = 0; i < kCoveredCapacity + 3; ++i) cover(i);
  EXPECT_EQ(area->covered_count, kCoveredCapacity);
  EXPECT_EQ(area->dropped, 3u);
}

}  // namespace
}  // namespace heddle
