#include "detect/check_then_act.h"

#include <gtest/gtest.h>

#include "detector_bench.h"

namespace heddle {
namespace {

constexpr std::uint64_t kLock = 0x900;
constexpr std::uint64_t kOther = 0x940;
constexpr std::uint64_t kX = 0x1000;

class CheckThenActTest : public testing::Test {
 protected:
  void locked_read(unsigned thread, std::uint64_t object, std::uint64_t site = 0,
                   std::uint64_t lock = kLock) {
    bench.feed().lock(thread, lock);
    bench.feed().read(thread, object, 4, site);
    bench.feed().unlock(thread, lock);
  }
  void locked_write(unsigned thread, std::uint64_t object, std::uint64_t site = 0,
                    std::uint64_t lock = kLock) {
    bench.feed().lock(thread, lock);
    bench.feed().write(thread, object, 4, site);
    bench.feed().unlock(thread, lock);
  }
  void locked_increment(unsigned thread, std::uint64_t object) {
    bench.feed().lock(thread, kLock);
    bench.feed().read(thread, object);
    bench.feed().write(thread, object);
    bench.feed().unlock(thread, kLock);
  }

  test::Bench bench{"check-then-act"};
};

TEST_F(CheckThenActTest, FindsAWriteBetweenTheCheckAndTheAct) {
  locked_read(1, kX, 11);
  locked_write(2, kX, 22);
  locked_write(1, kX, 12);
  ASSERT_EQ(bench.found().size(), 1u);
  const Finding found = bench.found()[0];
  EXPECT_EQ(found.kind, FindingKind::atomicity);
  EXPECT_EQ(found.begun_site.value, 11u);
  EXPECT_EQ(found.first_site.value, 22u);
  EXPECT_EQ(found.second_site.value, 12u);
  EXPECT_EQ(found.first_thread.value, 2u);
  EXPECT_EQ(found.second_thread.value, 1u);
}

TEST_F(CheckThenActTest, TheActMayReadAgainAsPartOfItsUpdate) {
  locked_read(1, kX);
  locked_write(2, kX);
  locked_increment(1, kX);
  EXPECT_EQ(bench.found().size(), 1u);
}

TEST_F(CheckThenActTest, TheActMayBeOnANeighbouringField) {
  locked_read(1, kX);        // size
  locked_write(2, kX);       // size
  locked_write(1, kX + 16);  // head
  EXPECT_EQ(bench.found().size(), 1u);
}

TEST_F(CheckThenActTest, AnotherObjectIsNotActedOn) {
  locked_read(1, kX);
  locked_write(2, kX);
  locked_write(1, kX + 4096);
  EXPECT_TRUE(bench.found().empty());
}

TEST_F(CheckThenActTest, NothingCameBetween) {
  locked_read(1, kX);
  locked_write(1, kX);
  locked_write(2, kX);
  EXPECT_TRUE(bench.found().empty());
}

TEST_F(CheckThenActTest, AReadBetweenChangesNothing) {
  locked_read(1, kX);
  locked_read(2, kX);
  locked_write(1, kX);
  EXPECT_TRUE(bench.found().empty());
}

TEST_F(CheckThenActTest, CheckAndActInOneSectionAreOneStep) {
  locked_increment(1, kX);
  locked_increment(2, kX);
  locked_increment(1, kX);
  EXPECT_TRUE(bench.found().empty());
}

TEST_F(CheckThenActTest, AnotherLockIsAnotherMatter) {
  locked_read(1, kX, 0, kOther);
  locked_write(2, kX);
  locked_write(1, kX);
  EXPECT_TRUE(bench.found().empty());
}

TEST_F(CheckThenActTest, OnlyTheSectionDirectlyBeforeCounts) {
  locked_read(1, kX);
  locked_write(2, kX);
  locked_read(1, kX + 4096);
  locked_write(1, kX);
  EXPECT_TRUE(bench.found().empty());
}

TEST_F(CheckThenActTest, FreshMemoryHasNoPast) {
  locked_read(1, kX);
  Event allocated = test::Feed<test::Bench>::make(2, EventKind::allocate, kX);
  allocated.argument = 64;
  bench.feed().send(allocated);
  locked_write(2, kX);
  locked_write(1, kX);
  EXPECT_TRUE(bench.found().empty());
}

}  // namespace
}  // namespace heddle
