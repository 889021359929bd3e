#include "analysis/happens_before.h"

#include <gtest/gtest.h>

#include <memory>

#include "event_feed.h"

namespace heddle {
namespace {

constexpr std::uint64_t kX = 0x1000, kM = 0x2000, kY = 0x3000;
using Order = MemoryOrder;

// One event of thread 1, something between, then: does thread 2 know of it?
class HappensBeforeTest : public testing::Test {
 protected:
  struct Sink {
    HappensBefore order;
    void on(const Event& event) {
      order.acquire_side(event);
      order.release_side(event);
    }
  };

  void SetUp() override {
    arena.begin_run(test::map_pages, 64 << 20);
    sink = std::make_unique<Sink>();
    sink->order.begin_run(arena);
    feed = std::make_unique<test::Feed<Sink>>(*sink);
    feed->create(0, 1);
    feed->create(0, 2);
    feed->create(0, 3);
  }

  // The access by `thread` that is to be ordered.
  void mark(unsigned thread = 1) {
    who = ThreadId{static_cast<std::uint16_t>(thread)};
    tick = sink->order.tick(who);
  }
  bool known_to(unsigned thread) {
    return sink->order.ordered(who, tick, ThreadId{static_cast<std::uint16_t>(thread)});
  }

  Arena arena;
  std::unique_ptr<Sink> sink;
  std::unique_ptr<test::Feed<Sink>> feed;
  ThreadId who{};
  std::uint32_t tick = 0;
};

TEST_F(HappensBeforeTest, ThreadsAreUnorderedByThemselves) {
  mark();
  EXPECT_FALSE(known_to(2));
  EXPECT_TRUE(known_to(1));
}

TEST_F(HappensBeforeTest, AChildKnowsWhatItsParentDidBefore) {
  mark(0);
  feed->create(0, 4);
  EXPECT_TRUE(known_to(4));
  mark(0);
  EXPECT_FALSE(known_to(4));
}

TEST_F(HappensBeforeTest, JoiningLearnsEverything) {
  mark();
  feed->exit(1);
  feed->join(0, 1);
  EXPECT_TRUE(known_to(0));
  EXPECT_FALSE(known_to(2));
}

TEST_F(HappensBeforeTest, AMutexOrdersUnlockBeforeLock) {
  feed->lock(1, kM);
  mark();
  feed->unlock(1, kM);
  feed->lock(2, kM);
  EXPECT_TRUE(known_to(2));
}

TEST_F(HappensBeforeTest, AFailedTryLearnsNothing) {
  feed->lock(1, kM);
  mark();
  feed->unlock(1, kM);
  feed->sync(2, EventKind::mutex_trylock, kM, EBUSY);
  EXPECT_FALSE(known_to(2));
}

TEST_F(HappensBeforeTest, WhatFollowsTheUnlockIsNotOrdered) {
  feed->lock(1, kM);
  feed->unlock(1, kM);
  mark();
  feed->lock(2, kM);
  EXPECT_FALSE(known_to(2));
}

TEST_F(HappensBeforeTest, ReadersAreNotOrderedAmongThemselves) {
  feed->sync(1, EventKind::rwlock_rdlock, kM);
  mark();
  feed->sync(1, EventKind::rwlock_unlock, kM);
  feed->sync(2, EventKind::rwlock_rdlock, kM);
  EXPECT_FALSE(known_to(2));
  feed->sync(2, EventKind::rwlock_unlock, kM);
  feed->sync(3, EventKind::rwlock_wrlock, kM);
  EXPECT_TRUE(known_to(3));
}

TEST_F(HappensBeforeTest, AWriterIsOrderedBeforeReaders) {
  feed->sync(1, EventKind::rwlock_wrlock, kM);
  mark();
  feed->sync(1, EventKind::rwlock_unlock, kM);
  feed->sync(2, EventKind::rwlock_rdlock, kM);
  EXPECT_TRUE(known_to(2));
}

TEST_F(HappensBeforeTest, ASemaphoreOrdersPostBeforeWait) {
  mark();
  feed->sync(1, EventKind::sem_post, kM);
  feed->sync(2, EventKind::sem_wait, kM);
  EXPECT_TRUE(known_to(2));
}

TEST_F(HappensBeforeTest, AWaitGivesTheMutexBackAndTakesItAgain) {
  feed->lock(1, kM);
  mark();
  feed->wait_begins(1, kX, kM);
  feed->lock(2, kM);
  EXPECT_TRUE(known_to(2));
  mark(2);
  feed->unlock(2, kM);
  EXPECT_FALSE(known_to(1));
  feed->wait_ends(1, kX, kM);
  EXPECT_TRUE(known_to(1));
}

TEST_F(HappensBeforeTest, ASignalAloneOrdersNothing) {
  mark();
  feed->sync(1, EventKind::cond_signal, kX);
  feed->wait_ends(2, kX, kM);
  EXPECT_FALSE(known_to(2));
}

TEST_F(HappensBeforeTest, TheFirstCallOfOnceIsOrderedBeforeTheOthers) {
  feed->phased(1, EventKind::once, kX, EventPhase::before);
  mark();
  feed->phased(1, EventKind::once, kX, EventPhase::after, 0, 1);
  feed->phased(2, EventKind::once, kX, EventPhase::before);
  EXPECT_TRUE(known_to(2));
}

TEST_F(HappensBeforeTest, ABarrierOrdersArrivalsBeforeDepartures) {
  mark();
  feed->phased(1, EventKind::barrier_wait, kX, EventPhase::before);
  feed->phased(2, EventKind::barrier_wait, kX, EventPhase::before);
  feed->phased(2, EventKind::barrier_wait, kX, EventPhase::after);
  EXPECT_TRUE(known_to(2));
}

TEST_F(HappensBeforeTest, AThreadThatLeavesLateDoesNotKnowTheNextRoundOfTheBarrier) {
  feed->phased(1, EventKind::barrier_wait, kX, EventPhase::before);
  feed->phased(2, EventKind::barrier_wait, kX, EventPhase::before);
  feed->phased(1, EventKind::barrier_wait, kX, EventPhase::after);
  mark();
  feed->phased(1, EventKind::barrier_wait, kX, EventPhase::before);
  feed->phased(2, EventKind::barrier_wait, kX, EventPhase::after);
  EXPECT_FALSE(known_to(2));
  feed->phased(2, EventKind::barrier_wait, kX, EventPhase::before);
  feed->phased(2, EventKind::barrier_wait, kX, EventPhase::after);
  EXPECT_TRUE(known_to(2));
}

// --- C++ memory orders: a store of one order, a load of another ---
struct Pair {
  Order store;
  Order load;
  bool synchronises;
};
class MessagePassing : public HappensBeforeTest, public testing::WithParamInterface<Pair> {};

TEST_P(MessagePassing, SynchronisesIfReleaseMeetsAcquire) {
  mark();
  feed->store(1, kX, GetParam().store);
  feed->load(2, kX, GetParam().load);
  EXPECT_EQ(known_to(2), GetParam().synchronises);
}
INSTANTIATE_TEST_SUITE_P(EveryOrder, MessagePassing,
                         testing::Values(Pair{Order::relaxed, Order::relaxed, false},
                                         Pair{Order::relaxed, Order::acquire, false},
                                         Pair{Order::relaxed, Order::seq_cst, false},
                                         Pair{Order::release, Order::relaxed, false},
                                         Pair{Order::release, Order::consume, true},
                                         Pair{Order::release, Order::acquire, true},
                                         Pair{Order::release, Order::seq_cst, true},
                                         Pair{Order::seq_cst, Order::relaxed, false},
                                         Pair{Order::seq_cst, Order::acquire, true},
                                         Pair{Order::seq_cst, Order::seq_cst, true}));

TEST_F(HappensBeforeTest, ARelaxedReadModifyWriteContinuesTheReleaseSequence) {
  mark();
  feed->store(1, kX, Order::release);
  feed->rmw(2, kX, Order::relaxed);
  EXPECT_FALSE(known_to(2));
  feed->load(3, kX, Order::acquire);
  EXPECT_TRUE(known_to(3));
}

TEST_F(HappensBeforeTest, ARelaxedStoreEndsTheReleaseSequence) {
  mark();
  feed->store(1, kX, Order::release);
  feed->store(2, kX, Order::relaxed);
  feed->load(3, kX, Order::acquire);
  EXPECT_FALSE(known_to(3));
}

TEST_F(HappensBeforeTest, ARelaxedStoreByTheSameThreadEndsItTooAsOfCpp20) {
  mark();
  feed->store(1, kX, Order::release);
  feed->store(1, kX, Order::relaxed);
  feed->load(3, kX, Order::acquire);
  EXPECT_FALSE(known_to(3));
}

TEST_F(HappensBeforeTest, AnAcquireReleaseReadModifyWriteLearnsAndTells) {
  mark();
  feed->rmw(1, kX, Order::acq_rel);
  feed->rmw(2, kX, Order::acq_rel);
  EXPECT_TRUE(known_to(2));
  feed->load(3, kX, Order::acquire);
  EXPECT_TRUE(known_to(3));
}

TEST_F(HappensBeforeTest, AFailedCompareAndSwapOnlyReads) {
  mark(2);
  feed->atomic(2, EventKind::atomic_cas, kX, Order::acq_rel, 1);
  feed->load(3, kX, Order::acquire);
  EXPECT_FALSE(known_to(3));
}

TEST_F(HappensBeforeTest, AReleaseFenceBeforeARelaxedStoreReleases) {
  mark();
  feed->fence(1, Order::release);
  feed->store(1, kX, Order::relaxed);
  feed->load(2, kX, Order::acquire);
  EXPECT_TRUE(known_to(2));
}

TEST_F(HappensBeforeTest, AReleaseFenceDoesNotCoverWhatFollowsIt) {
  feed->fence(1, Order::release);
  mark();
  feed->store(1, kX, Order::relaxed);
  feed->load(2, kX, Order::acquire);
  EXPECT_FALSE(known_to(2));
}

TEST_F(HappensBeforeTest, AnAcquireFenceAfterARelaxedLoadAcquires) {
  mark();
  feed->store(1, kX, Order::release);
  feed->load(2, kX, Order::relaxed);
  EXPECT_FALSE(known_to(2));
  feed->fence(2, Order::acquire);
  EXPECT_TRUE(known_to(2));
}

TEST_F(HappensBeforeTest, AnAcquireFenceBeforeTheLoadDoesNothing) {
  mark();
  feed->store(1, kX, Order::release);
  feed->fence(2, Order::acquire);
  feed->load(2, kX, Order::relaxed);
  EXPECT_FALSE(known_to(2));
}

TEST_F(HappensBeforeTest, TwoFencesSynchroniseThroughRelaxedAccesses) {
  mark();
  feed->fence(1, Order::release);
  feed->store(1, kX, Order::relaxed);
  feed->load(2, kX, Order::relaxed);
  feed->fence(2, Order::acquire);
  EXPECT_TRUE(known_to(2));
}

TEST_F(HappensBeforeTest, ASequentiallyConsistentFenceIsBoth) {
  mark();
  feed->fence(1, Order::seq_cst);
  feed->store(1, kX, Order::relaxed);
  feed->load(2, kX, Order::relaxed);
  feed->fence(2, Order::seq_cst);
  EXPECT_TRUE(known_to(2));
}

TEST_F(HappensBeforeTest, DifferentObjectsDoNotSynchronise) {
  mark();
  feed->store(1, kX, Order::release);
  feed->load(2, kY, Order::acquire);
  EXPECT_FALSE(known_to(2));
}

TEST(HappensBeforeMemory, WithoutMemoryEverythingCountsAsOrdered) {
  Arena arena;
  arena.begin_run(test::map_pages, 256 << 10);
  auto order = std::make_unique<HappensBefore>();
  order->begin_run(arena);
  struct Sink {
    HappensBefore& order;
    void on(const Event& event) {
      order.acquire_side(event);
      order.release_side(event);
    }
  } sink{*order};
  test::Feed<Sink> feed(sink);
  for (unsigned i = 0; i < 20000; ++i) {
    feed.lock(1 + i % 50, 0x10000 + i * 8);
    feed.unlock(1 + i % 50, 0x10000 + i * 8);
  }
  EXPECT_LE(arena.used(), 256u << 10);
  // Locks that found no place share one: thread 2 may know too much of thread 1, never too little.
  feed.lock(1, 0x9000'0000);
  const std::uint32_t tick = order->tick(ThreadId{1});
  feed.unlock(1, 0x9000'0000);
  feed.lock(2, 0x9000'0000);
  EXPECT_TRUE(order->ordered(ThreadId{1}, tick, ThreadId{2}));
}

// Where threads run in parallel, atomics are shown in another way, to the same end.
TEST_F(HappensBeforeTest, ALoadThatTakesNoLockLearnsTheSame) {
  HappensBefore& order = sink->order;
  mark();
  HappensBefore::Object& object = order.hold(ThreadId{1}, kX);
  order.stored(ThreadId{1}, object, EventKind::atomic_store, Order::release);
  order.let_go(object);
  const HappensBefore::Reading relaxed = order.begin_load(ThreadId{2}, kX);
  EXPECT_TRUE(order.end_load(ThreadId{2}, relaxed, Order::relaxed));
  EXPECT_FALSE(known_to(2));
  const HappensBefore::Reading acquire = order.begin_load(ThreadId{2}, kX);
  EXPECT_TRUE(order.end_load(ThreadId{2}, acquire, Order::acquire));
  EXPECT_TRUE(known_to(2));
}

TEST_F(HappensBeforeTest, WhatIsStoredAloneIsNewsToWhoLoadedBefore) {
  HappensBefore& order = sink->order;
  const auto store = [&] {
    HappensBefore::Object& object = order.hold_alone(ThreadId{1}, kX);
    EXPECT_TRUE(order.stored(ThreadId{1}, object, EventKind::atomic_store, Order::release));
    order.let_go(object);
  };
  const auto load = [&] {
    HappensBefore::Object& object = order.hold_alone(ThreadId{2}, kX);
    order.loaded(ThreadId{2}, object, Order::acquire);
    order.let_go_unchanged(object);
  };
  store();
  load();
  mark();
  EXPECT_FALSE(known_to(2));
  store();
  load();
  EXPECT_TRUE(known_to(2));
}

TEST_F(HappensBeforeTest, ALoadIsDoneAgainIfSomebodyStoredMeanwhile) {
  HappensBefore& order = sink->order;
  const HappensBefore::Reading before = order.begin_load(ThreadId{2}, kX);
  mark();
  HappensBefore::Object& object = order.hold(ThreadId{1}, kX);
  const HappensBefore::Reading within = order.begin_load(ThreadId{3}, kX);
  order.stored(ThreadId{1}, object, EventKind::atomic_store, Order::release);
  EXPECT_FALSE(order.end_load(ThreadId{3}, within, Order::acquire));
  order.let_go(object);
  EXPECT_FALSE(order.end_load(ThreadId{3}, within, Order::acquire));
  EXPECT_FALSE(order.end_load(ThreadId{2}, before, Order::acquire));
  EXPECT_FALSE(known_to(2));
  EXPECT_FALSE(known_to(3));
}

TEST_F(HappensBeforeTest, ALoadOfWhatManyThreadsReleasedTakesTheLock) {
  HappensBefore& order = sink->order;
  for (unsigned thread = 4; thread < 20; ++thread) feed->create(0, thread);
  HappensBefore::Object& object = order.hold(ThreadId{19}, kX);
  order.stored(ThreadId{19}, object, EventKind::atomic_store, Order::release);
  order.let_go(object);
  EXPECT_FALSE(order.end_load(ThreadId{2}, order.begin_load(ThreadId{2}, kX), Order::acquire));
}

TEST_F(HappensBeforeTest, WhoFindsNothingToLearnTellsAllTheSame) {
  HappensBefore& order = sink->order;
  feed->lock(3, kM);
  feed->unlock(3, kM);
  feed->lock(1, kM);  // knows of thread 3 now
  mark();
  HappensBefore::Object& object = order.hold(ThreadId{1}, kX);
  order.loaded(ThreadId{1}, object, Order::acq_rel);
  EXPECT_TRUE(order.stored(ThreadId{1}, object, EventKind::atomic_rmw, Order::acq_rel));
  order.let_go(object);
  EXPECT_TRUE(order.end_load(ThreadId{2}, order.begin_load(ThreadId{2}, kX), Order::acquire));
  EXPECT_TRUE(known_to(2));
  EXPECT_EQ(tick_of(order.clock(ThreadId{2}), 3), tick_of(order.clock(ThreadId{1}), 3));
}

TEST_F(HappensBeforeTest, WhatAnotherTookBackIsToldAgain) {
  HappensBefore& order = sink->order;
  const auto store = [&](std::uint16_t thread, Order memory_order) {
    HappensBefore::Object& object = order.hold(ThreadId{thread}, kX);
    const bool told = order.stored(ThreadId{thread}, object, EventKind::atomic_store, memory_order);
    order.let_go(object);
    return told;
  };
  const auto load = [&](ThreadId thread) {
    return order.end_load(thread, order.begin_load(thread, kX), Order::acquire);
  };
  EXPECT_TRUE(store(1, Order::release));
  EXPECT_TRUE(store(2, Order::relaxed));  // begins another sequence, with nothing
  EXPECT_FALSE(store(2, Order::relaxed));
  EXPECT_TRUE(load(ThreadId{1}));
  mark();
  EXPECT_TRUE(store(1, Order::release));
  EXPECT_TRUE(load(ThreadId{2}));
  EXPECT_TRUE(known_to(2));
}

}  // namespace
}  // namespace heddle
