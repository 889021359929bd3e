#include "noise/learn_table.h"

#include <gtest/gtest.h>

#include <map>

namespace heddle {
namespace {

using Table = LearnTable<Relaxed<std::uint32_t>, 64>;

TEST(LearnTable, KeepsEveryKeyApartIncludingZero) {
  static Table table{};
  for (std::uint64_t key = 0; key < 20; ++key) {
    ASSERT_NE(table.find_or_add(key), nullptr);
    table.find_or_add(key)->store(static_cast<std::uint32_t>(key + 100));
  }
  for (std::uint64_t key = 0; key < 20; ++key) EXPECT_EQ(table.find(key)->load(), key + 100);
  EXPECT_EQ(table.find(20), nullptr);
  std::map<std::uint64_t, std::uint32_t> all;
  table.for_each(
      [&](std::uint64_t key, const Relaxed<std::uint32_t>& value) { all[key] = value.load(); });
  EXPECT_EQ(all.size(), 20u);
  EXPECT_EQ(all[0], 100u);
}

TEST(LearnTable, CountsWhatDoesNotFitAndForgetsAllWhenCleared) {
  static Table table{};
  std::uint64_t refused = 0;
  for (std::uint64_t key = 1; key <= 100; ++key) refused += table.find_or_add(key) == nullptr;
  EXPECT_GE(refused, 36u);
  EXPECT_EQ(table.overflow(), refused);
  table.clear();
  EXPECT_EQ(table.overflow(), 0u);
  for (std::uint64_t key = 1; key <= 100; ++key) EXPECT_EQ(table.find(key), nullptr);
}

TEST(TryLock, IsTakenOnce) {
  TryLock lock{};
  EXPECT_TRUE(lock.take());
  EXPECT_FALSE(lock.take());
  lock.give();
  EXPECT_TRUE(lock.take());
}

}  // namespace
}  // namespace heddle
