#include "detect/eraser.h"

#include <gtest/gtest.h>

#include "detector_bench.h"

namespace heddle {
namespace {

constexpr std::uint64_t kV = 0x1000, kMu1 = 0x2000, kMu2 = 0x3000;

class EraserTest : public testing::Test {
 protected:
  void SetUp() override {
    for (unsigned child = 1; child <= 3; ++child) feed.create(0, child);
  }
  void use(unsigned thread, std::uint64_t lock, bool write = true) {
    feed.lock(thread, lock);
    write ? feed.write(thread, kV) : feed.read(thread, kV);
    feed.unlock(thread, lock);
  }
  test::Bench bench{"eraser"};
  test::Feed<test::Bench>& feed = bench.feed();
};

// Figure 3 of the paper: v is protected by mu1, then by mu2; the candidate set becomes empty.
TEST_F(EraserTest, FollowsThePapersExample) {
  use(0, kMu1);
  use(1, kMu1);
  use(2, kMu1);
  EXPECT_TRUE(bench.found().empty());
  use(1, kMu2);
  EXPECT_EQ(bench.found().size(), 1u);
}

TEST_F(EraserTest, InitialisingWithoutALockIsFine) {
  feed.write(0, kV);
  use(1, kMu1);
  use(2, kMu1);
  EXPECT_TRUE(bench.found().empty());
}

TEST_F(EraserTest, HandingOverToOneOtherThreadIsFine) {
  feed.write(0, kV);
  feed.write(1, kV);
  feed.read(1, kV);
  EXPECT_TRUE(bench.found().empty());
}

TEST_F(EraserTest, AThirdOwnerWithoutALockIsNot) {
  feed.write(0, kV);
  feed.write(1, kV);
  feed.write(2, kV);
  EXPECT_EQ(bench.found().size(), 1u);
}

TEST_F(EraserTest, ReadingWhatWasWrittenOnceIsFine) {
  feed.write(0, kV);
  feed.read(1, kV);
  feed.read(2, kV);
  feed.read(3, kV);
  EXPECT_TRUE(bench.found().empty());
}

TEST_F(EraserTest, AReadLockDoesNotProtectAWrite) {
  feed.write(0, kV);
  for (unsigned thread = 1; thread <= 2; ++thread) {
    feed.sync(thread, EventKind::rwlock_rdlock, kMu1);
    feed.write(thread, kV);
    feed.sync(thread, EventKind::rwlock_unlock, kMu1);
  }
  EXPECT_EQ(bench.found().size(), 1u);
}

// Wrong by nature: order by a semaphore is not seen.
TEST_F(EraserTest, AccusesOrderBySemaphores) {
  feed.write(0, kV);
  feed.write(1, kV);
  feed.sync(1, EventKind::sem_post, kMu1);
  feed.sync(2, EventKind::sem_wait, kMu1);
  feed.write(2, kV);
  EXPECT_EQ(bench.found().size(), 1u);
}

}  // namespace
}  // namespace heddle
