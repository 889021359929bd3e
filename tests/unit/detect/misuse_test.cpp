#include "detect/misuse.h"

#include <gtest/gtest.h>

#include "detector_bench.h"

namespace heddle {
namespace {

constexpr std::uint64_t kM = 0x1000, kCond = 0x2000, kOther = 0x3000;

class MisuseTest : public testing::Test {
 protected:
  void SetUp() override {
    feed.create(0, 1);
    feed.create(0, 2);
  }
  void expect_only(MisuseKind kind) {
    ASSERT_EQ(bench.found().size(), 1u);
    EXPECT_EQ(bench.found()[0].detail, static_cast<std::uint64_t>(kind));
  }
  test::Bench bench{"misuse"};
  test::Feed<test::Bench>& feed = bench.feed();
};

TEST_F(MisuseTest, OrdinaryUseIsFine) {
  feed.lock(1, kM);
  feed.wait_begins(1, kCond, kM);
  feed.lock(2, kM);
  feed.sync(2, EventKind::cond_signal, kCond);
  feed.unlock(2, kM);
  feed.wait_ends(1, kCond, kM);
  feed.unlock(1, kM);
  feed.exit(1);
  feed.exit(2);
  feed.join(0, 1);
  feed.join(0, 2);
  feed.sync(0, EventKind::cond_destroy, kCond);
  feed.sync(0, EventKind::mutex_destroy, kM);
  EXPECT_TRUE(bench.end().empty());
}

// Two threads wait when the condition variable is destroyed.
class WaitersTest : public MisuseTest {
 protected:
  void SetUp() override {
    MisuseTest::SetUp();
    for (const unsigned thread : {1u, 2u}) {
      feed.lock(thread, kM);
      feed.wait_begins(thread, kCond, kM);
    }
  }
  void destroy() { feed.sync(0, EventKind::cond_destroy, kCond); }
};

TEST_F(WaitersTest, WhoeverWaitsMayNotLoseItsCondition) {
  destroy();
  expect_only(MisuseKind::destroy_while_waited_for);
}

TEST_F(WaitersTest, WhoeverIsToldNeedsItNoMore) {
  feed.sync(0, EventKind::cond_broadcast, kCond);
  destroy();
  EXPECT_TRUE(bench.found().empty());
}

TEST_F(WaitersTest, ASignalTellsOne) {
  feed.sync(0, EventKind::cond_signal, kCond);
  destroy();
  expect_only(MisuseKind::destroy_while_waited_for);
}

TEST_F(WaitersTest, WhoeverIsBackHasUsedItsSignal) {
  feed.sync(0, EventKind::cond_signal, kCond);
  feed.wait_ends(1, kCond, kM);
  destroy();
  expect_only(MisuseKind::destroy_while_waited_for);
}

TEST_F(WaitersTest, ATimeoutUsesNone) {
  feed.sync(0, EventKind::cond_signal, kCond);
  feed.wait_ends(1, kCond, kM, ETIMEDOUT);
  destroy();
  EXPECT_TRUE(bench.found().empty());
}

TEST_F(WaitersTest, NoSignalIsLeftForTheNextToWait) {
  feed.sync(0, EventKind::cond_signal, kCond);
  feed.wait_ends(1, kCond, kM, ETIMEDOUT);
  feed.wait_ends(2, kCond, kM, ETIMEDOUT);
  feed.wait_begins(1, kCond, kM);
  destroy();
  expect_only(MisuseKind::destroy_while_waited_for);
}

TEST_F(MisuseTest, FindsAnUnlockByAStranger) {
  feed.lock(1, kM);
  feed.unlock(2, kM);
  expect_only(MisuseKind::unlock_by_stranger);
}

TEST_F(MisuseTest, FindsAnUnlockOfWhatNobodyHolds) {
  feed.lock(1, kM);
  feed.unlock(1, kM);
  feed.unlock(1, kM);
  expect_only(MisuseKind::unlock_of_unlocked);
}

TEST_F(MisuseTest, ARecursiveMutexIsHeldUntilItsLastUnlock) {
  feed.lock(1, kM);
  feed.lock(1, kM);
  feed.unlock(1, kM);
  feed.unlock(1, kM);
  EXPECT_TRUE(bench.found().empty());
}

TEST_F(MisuseTest, FindsDestroyingAHeldMutex) {
  feed.lock(1, kM);
  feed.sync(0, EventKind::mutex_destroy, kM, EBUSY);
  expect_only(MisuseKind::destroy_while_held);
}

TEST_F(MisuseTest, FindsUseAfterDestroy) {
  feed.lock(1, kM);
  feed.unlock(1, kM);
  feed.sync(0, EventKind::mutex_destroy, kM);
  feed.lock(2, kM);
  expect_only(MisuseKind::use_after_destroy);
}

TEST_F(MisuseTest, AnObjectInitialisedAgainMayBeUsed) {
  feed.sync(0, EventKind::mutex_destroy, kM);
  feed.sync(0, EventKind::mutex_init, kM);
  feed.lock(2, kM);
  feed.unlock(2, kM);
  EXPECT_TRUE(bench.found().empty());
}

TEST_F(MisuseTest, MemoryHandedOutAgainIsAnotherObject) {
  feed.sync(0, EventKind::mutex_destroy, kM);
  feed.allocate(0, kM - 16, 128);
  feed.lock(2, kM);
  EXPECT_TRUE(bench.found().empty());
}

// A block is freed that a mutex lies in, which thread 1 has used.
class FreedTest : public MisuseTest {
 protected:
  void SetUp() override {
    MisuseTest::SetUp();
    feed.lock(1, kM);
  }
  void free(unsigned thread) { feed.free(thread, kM - 16, 128); }
};

TEST_F(FreedTest, WhatIsLockedLaterIsGone) {
  feed.unlock(1, kM);
  free(1);
  feed.lock(2, kM);
  expect_only(MisuseKind::use_after_free);
}

TEST_F(FreedTest, WhoHoldsItIsToldOnce) {
  free(1);
  feed.unlock(1, kM);
  expect_only(MisuseKind::freed_while_held);
}

TEST_F(FreedTest, WhoHoldsItUnlocksWhatIsGone) {
  free(2);
  feed.unlock(1, kM);
  expect_only(MisuseKind::use_after_free);
}

TEST_F(FreedTest, MemoryHandedOutAgainHasAnother) {
  feed.unlock(1, kM);
  free(1);
  feed.allocate(2, kM - 16, 128);
  feed.lock(2, kM);
  feed.unlock(2, kM);
  EXPECT_TRUE(bench.found().empty());
}

TEST_F(FreedTest, AnInitialiserThatNobodySawIsBelieved) {
  feed.unlock(1, kM);
  free(1);
  Event lock = feed.make(2, EventKind::mutex_lock, kM);
  lock.value = 1;
  feed.send(lock);
  EXPECT_TRUE(bench.found().empty());
}

TEST_F(MisuseTest, ABarrierIsLeftWhenItIsGone) {
  feed.sync(0, EventKind::barrier_init, kOther);
  Event arrives = feed.make(1, EventKind::barrier_wait, kOther);
  arrives.phase = EventPhase::before;
  feed.send(arrives);
  feed.sync(2, EventKind::barrier_destroy, kOther);
  feed.sync(1, EventKind::barrier_wait, kOther);
  EXPECT_TRUE(bench.found().empty());
}

TEST_F(MisuseTest, FindsAWaitWithoutTheMutex) {
  feed.lock(1, kM);
  feed.unlock(1, kM);
  feed.wait_begins(1, kCond, kM);
  expect_only(MisuseKind::wait_without_mutex);
}

TEST_F(MisuseTest, FindsADoubleJoin) {
  feed.exit(1);
  feed.join(0, 1);
  feed.about_thread(0, EventKind::thread_join, 1, EINVAL);
  expect_only(MisuseKind::double_join);
}

TEST_F(MisuseTest, FindsALockHeldAtThreadExit) {
  feed.lock(1, kM);
  feed.exit(1);
  expect_only(MisuseKind::held_at_thread_exit);
}

TEST_F(MisuseTest, FindsThreadsNobodyJoinedOrDetached) {
  feed.about_thread(0, EventKind::thread_detach, 2);
  feed.exit(1);
  feed.exit(2);
  const std::vector<Finding> found = bench.end();
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].kind, FindingKind::leak);
}

TEST_F(MisuseTest, AReaderWriterLockIsGivenBackByReadersAndWriters) {
  feed.sync(1, EventKind::rwlock_rdlock, kOther);
  feed.sync(2, EventKind::rwlock_rdlock, kOther);
  feed.sync(1, EventKind::rwlock_unlock, kOther);
  feed.sync(2, EventKind::rwlock_unlock, kOther);
  feed.sync(1, EventKind::rwlock_wrlock, kOther);
  feed.sync(1, EventKind::rwlock_unlock, kOther);
  feed.sync(0, EventKind::rwlock_destroy, kOther);
  EXPECT_TRUE(bench.found().empty());
}

TEST_F(MisuseTest, FindsAWaitWithAMutexThatNobodyEverTook) {
  feed.wait_begins(1, kCond, kM);
  expect_only(MisuseKind::wait_without_mutex);
}

TEST_F(MisuseTest, FindsTheUnlockOfALockThatWasOnlyMade) {
  feed.sync(0, EventKind::mutex_init, kM);
  feed.unlock(1, kM);
  expect_only(MisuseKind::unlock_of_unlocked);
}

// A stack of locks has an end; what is beyond is not somebody else's.
TEST_F(MisuseTest, MoreLocksThanAreKnownAreNoStrangers) {
  for (std::uint64_t i = 0; i < 200; ++i) feed.lock(1, 0x10000 + 64 * i);
  for (std::uint64_t i = 200; i > 0; --i) feed.unlock(1, 0x10000 + 64 * (i - 1));
  EXPECT_TRUE(bench.found().empty());
  feed.lock(1, kM);
  feed.unlock(2, kM);
  expect_only(MisuseKind::unlock_by_stranger);
}

}  // namespace
}  // namespace heddle
