#include "detect/goodlock.h"

#include <gtest/gtest.h>

#include "detector_bench.h"

namespace heddle {
namespace {

constexpr std::uint64_t kA = 0x1000, kB = 0x2000, kC = 0x3000, kG = 0x4000, kCond = 0x5000;

class GoodlockTest : public testing::Test {
 protected:
  void SetUp() override {
    for (unsigned child = 1; child <= 3; ++child) feed.create(0, child);
  }
  void nest(unsigned thread, std::uint64_t outer, std::uint64_t inner) {
    feed.lock(thread, outer);
    feed.lock(thread, inner);
    feed.unlock(thread, inner);
    feed.unlock(thread, outer);
  }
  test::Bench bench{"goodlock"};
  test::Feed<test::Bench>& feed = bench.feed();
};

TEST_F(GoodlockTest, PredictsTwoLocksInOppositeOrdersThatNeverMet) {
  nest(1, kA, kB);
  nest(2, kB, kA);
  ASSERT_EQ(bench.found().size(), 1u);
  EXPECT_EQ(bench.found()[0].kind, FindingKind::lock_order);
  EXPECT_EQ(bench.found()[0].detail, 2u);
}

TEST_F(GoodlockTest, OneOrderIsNoCycle) {
  nest(1, kA, kB);
  nest(2, kA, kB);
  nest(3, kB, kC);
  EXPECT_TRUE(bench.found().empty());
}

TEST_F(GoodlockTest, OneThreadAloneDoesNotDeadlockWithItself) {
  nest(1, kA, kB);
  nest(1, kB, kA);
  EXPECT_TRUE(bench.found().empty());
}

// The gate lock example of Havelund's paper.
TEST_F(GoodlockTest, AGateLockLetsOnlyOneOfThemIn) {
  feed.lock(1, kG);
  nest(1, kA, kB);
  feed.unlock(1, kG);
  feed.lock(2, kG);
  nest(2, kB, kA);
  feed.unlock(2, kG);
  EXPECT_TRUE(bench.found().empty());
}

TEST_F(GoodlockTest, AGateThatOnlyOneTakesIsNone) {
  feed.lock(1, kG);
  nest(1, kA, kB);
  feed.unlock(1, kG);
  nest(2, kB, kA);
  EXPECT_EQ(bench.found().size(), 1u);
}

// Bensalem and Havelund: the second thread is created after the first was joined.
TEST_F(GoodlockTest, ThreadsThatCannotLiveAtTheSameTimeDoNotDeadlock) {
  nest(1, kA, kB);
  feed.exit(1);
  feed.join(0, 1);
  feed.create(0, 4);
  nest(4, kB, kA);
  EXPECT_TRUE(bench.found().empty());
}

TEST_F(GoodlockTest, WhatTheParentDidBeforeCreatingDoesNotCount) {
  nest(0, kA, kB);
  feed.create(0, 4);
  nest(4, kB, kA);
  EXPECT_TRUE(bench.found().empty());
}

TEST_F(GoodlockTest, FindsACycleOfThree) {
  nest(1, kA, kB);
  nest(2, kB, kC);
  nest(3, kC, kA);
  ASSERT_EQ(bench.found().size(), 1u);
  EXPECT_EQ(bench.found()[0].detail, 3u);
}

TEST_F(GoodlockTest, ALockThatIsOnlyTriedForGivesNoEdge) {
  nest(1, kA, kB);
  feed.lock(2, kB);
  feed.sync(2, EventKind::mutex_trylock, kA);
  EXPECT_TRUE(bench.found().empty());
}

TEST_F(GoodlockTest, NorDoesOneThatIsWaitedForWithADeadline) {
  for (const EventKind kind :
       {EventKind::mutex_timedlock, EventKind::rwlock_timedrdlock, EventKind::rwlock_timedwrlock}) {
    nest(1, kA, kB);
    feed.lock(2, kB);
    feed.sync(2, kind, kA);
    feed.unlock(2, kA);
    feed.unlock(2, kB);
  }
  EXPECT_TRUE(bench.found().empty());
}

TEST_F(GoodlockTest, ReadersDoNotWaitForReaders) {
  feed.sync(1, EventKind::rwlock_rdlock, kA);
  feed.sync(1, EventKind::rwlock_rdlock, kB);
  feed.sync(1, EventKind::rwlock_unlock, kB);
  feed.sync(1, EventKind::rwlock_unlock, kA);
  feed.sync(2, EventKind::rwlock_rdlock, kB);
  feed.sync(2, EventKind::rwlock_rdlock, kA);
  EXPECT_TRUE(bench.found().empty());
}

TEST_F(GoodlockTest, AWriterAmongThemDoes) {
  feed.sync(1, EventKind::rwlock_rdlock, kA);
  feed.sync(1, EventKind::rwlock_wrlock, kB);
  feed.sync(1, EventKind::rwlock_unlock, kB);
  feed.sync(1, EventKind::rwlock_unlock, kA);
  feed.sync(2, EventKind::rwlock_rdlock, kB);
  feed.sync(2, EventKind::rwlock_wrlock, kA);
  EXPECT_EQ(bench.found().size(), 1u);
}

TEST_F(GoodlockTest, TakingALockAgainIsNoEdge) {
  feed.lock(1, kA);
  feed.lock(1, kB);
  feed.lock(1, kA);
  EXPECT_TRUE(bench.found().empty());
}

// Thread 1 waits for the condition with the lock A held, and thread 2 signals it with A held.
class GoodlockCondition : public GoodlockTest {
 protected:
  void SetUp() override {
    GoodlockTest::SetUp();
    feed.lock(1, kA);
    feed.lock(1, kB);
    feed.wait_begins(1, kCond, kB);
    feed.wait_ends(1, kCond, kB);
    feed.unlock(1, kB);
    feed.unlock(1, kA);
    signal_under(2, kA);
  }
  void signal_under(unsigned thread, std::uint64_t lock) {
    feed.lock(thread, lock);
    feed.sync(thread, EventKind::cond_signal, kCond);
    feed.unlock(thread, lock);
  }
  std::size_t found_in_the_end() {
    bench.set().end_run();
    return bench.found().size();
  }
};

TEST_F(GoodlockCondition, WaitedForWithALockThatItsSignalNeedsIsACycle) {
  EXPECT_TRUE(bench.found().empty()) << "another may yet signal without the lock";
  EXPECT_EQ(found_in_the_end(), 1u);
}

TEST_F(GoodlockCondition, ASignalFromElsewhereWithoutTheLockEndsTheWait) {
  feed.sync(3, EventKind::cond_broadcast, kCond);
  EXPECT_EQ(found_in_the_end(), 0u);
}

TEST_F(GoodlockCondition, SoDoesOneUnderAnotherLock) {
  signal_under(2, kC);
  EXPECT_EQ(found_in_the_end(), 0u);
}

TEST_F(GoodlockCondition, OneUnderBothDoesNotNorTheWaitersOwn) {
  feed.lock(3, kC);
  signal_under(3, kA);
  feed.unlock(3, kC);
  feed.sync(1, EventKind::cond_signal, kCond);
  EXPECT_EQ(found_in_the_end(), 2u) << "with thread 2 and with thread 3";
}

TEST_F(GoodlockCondition, IsDecidedWhenItIsNoMore) {
  feed.sync(0, EventKind::cond_destroy, kCond);
  EXPECT_EQ(bench.found().size(), 1u);
  feed.sync(3, EventKind::cond_signal, kCond);  // another one, in the same place
  EXPECT_EQ(found_in_the_end(), 1u);
}

TEST_F(GoodlockTest, ASignalNeedsNoLockThatItsThreadOnlyTriedFor) {
  feed.sync(1, EventKind::mutex_trylock, kA);
  feed.lock(1, kB);
  feed.wait_begins(1, kCond, kB);
  feed.wait_ends(1, kCond, kB);
  feed.unlock(1, kB);
  feed.unlock(1, kA);
  feed.sync(2, EventKind::mutex_trylock, kA);
  feed.sync(2, EventKind::cond_signal, kCond);
  EXPECT_TRUE(bench.found().empty());
}

TEST_F(GoodlockTest, AnOrdinaryWaitIsNone) {
  feed.lock(1, kB);
  feed.wait_begins(1, kCond, kB);
  feed.lock(2, kB);
  feed.sync(2, EventKind::cond_signal, kCond);
  feed.unlock(2, kB);
  feed.wait_ends(1, kCond, kB);
  EXPECT_TRUE(bench.found().empty());
}

TEST_F(GoodlockTest, ALockInMemoryHandedOutAgainIsAnother) {
  nest(1, kA, kB);
  feed.allocate(2, kA, 64);
  feed.allocate(2, kB, 64);
  nest(2, kB, kA);
  EXPECT_TRUE(bench.found().empty());
}

TEST(GoodlockMemory, StaysWithinItsLimit) {
  test::Bench bench("goodlock", 2 << 20);
  bench.feed().create(0, 1);
  for (std::uint64_t i = 0; i < 100'000; ++i) {
    bench.feed().lock(1, 0x10000 + i * 64);
    bench.feed().lock(1, 0x10000 + i * 64 + 32);
    bench.feed().unlock(1, 0x10000 + i * 64 + 32);
    bench.feed().unlock(1, 0x10000 + i * 64);
  }
  EXPECT_LE(bench.set().memory_used(), 2u << 20);
  EXPECT_GT(bench.set().dropped(), 0u);
}

TEST_F(GoodlockTest, AGateThatBothReadLetsBothIn) {
  for (const unsigned thread : {1u, 2u}) {
    feed.sync(thread, EventKind::rwlock_rdlock, kG);
    nest(thread, thread == 1 ? kA : kB, thread == 1 ? kB : kA);
    feed.sync(thread, EventKind::rwlock_unlock, kG);
  }
  EXPECT_EQ(bench.found().size(), 1u);
}

// However many locks a thread holds, none of them is forgotten as a gate.
TEST_F(GoodlockTest, AGateBehindManyLocksIsAGate) {
  for (const unsigned thread : {1u, 2u}) {
    for (std::uint64_t i = 0; i < 40; ++i) feed.lock(thread, 0x10000 * thread + 64 * i);
    feed.lock(thread, kG);
    nest(thread, thread == 1 ? kA : kB, thread == 1 ? kB : kA);
    feed.unlock(thread, kG);
    for (std::uint64_t i = 0; i < 40; ++i) feed.unlock(thread, 0x10000 * thread + 64 * i);
  }
  EXPECT_TRUE(bench.found().empty());
}

TEST_F(GoodlockTest, MoreLocksThanAreKnownGiveNoCircleAndAreCounted) {
  for (const unsigned thread : {1u, 2u}) {
    for (std::uint64_t i = 0; i < 100; ++i) feed.lock(thread, 0x10000 * thread + 64 * i);
    feed.lock(thread, kG);
    nest(thread, thread == 1 ? kA : kB, thread == 1 ? kB : kA);
    feed.unlock(thread, kG);
    for (std::uint64_t i = 0; i < 100; ++i) feed.unlock(thread, 0x10000 * thread + 64 * i);
  }
  EXPECT_TRUE(bench.found().empty());
  EXPECT_GT(bench.set().dropped(), 0u);
}

}  // namespace
}  // namespace heddle
