#include "detect/avio.h"

#include <gtest/gtest.h>

#include "detector_bench.h"

namespace heddle {
namespace {

constexpr std::uint64_t kX = 0x1000;

// Table 1 of the paper: eight interleavings, four of them unserialisable.
TEST(Avio, FollowsThePapersTable) {
  EXPECT_FALSE(is_unserialisable(false, false, false));  // r r r
  EXPECT_FALSE(is_unserialisable(true, false, false));   // w r r
  EXPECT_TRUE(is_unserialisable(false, true, false));    // r w r
  EXPECT_TRUE(is_unserialisable(true, true, false));     // w w r
  EXPECT_FALSE(is_unserialisable(false, false, true));   // r r w
  EXPECT_TRUE(is_unserialisable(true, false, true));     // w r w
  EXPECT_TRUE(is_unserialisable(false, true, true));     // r w w
  EXPECT_FALSE(is_unserialisable(true, true, true));     // w w w
}

TEST(Avio, FindsALostUpdate) {
  test::Bench bench("avio");
  bench.feed().read(1, kX);
  bench.feed().write(2, kX, 4, 22);
  bench.feed().write(1, kX, 4, 11);
  ASSERT_EQ(bench.found().size(), 1u);
  EXPECT_EQ(bench.found()[0].kind, FindingKind::atomicity);
  EXPECT_EQ(bench.found()[0].first_site.value, 22u);
  EXPECT_EQ(bench.found()[0].second_site.value, 11u);
}

TEST(Avio, FindsALostUpdateThroughAtomics) {
  test::Bench bench("avio");
  bench.feed().load(1, kX, MemoryOrder::seq_cst);
  bench.feed().rmw(2, kX, MemoryOrder::seq_cst);
  bench.feed().store(1, kX, MemoryOrder::seq_cst);
  EXPECT_EQ(bench.found().size(), 1u);
}

TEST(Avio, UninterruptedPairsAreFine) {
  test::Bench bench("avio");
  bench.feed().read(1, kX);
  bench.feed().write(1, kX);
  bench.feed().read(2, kX);
  bench.feed().write(2, kX);
  EXPECT_TRUE(bench.found().empty());
}

}  // namespace
}  // namespace heddle
