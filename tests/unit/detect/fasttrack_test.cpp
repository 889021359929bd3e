#include "detect/fasttrack.h"

#include <gtest/gtest.h>

#include <mutex>
#include <thread>
#include <vector>

#include "detector_bench.h"

namespace heddle {
namespace {

constexpr std::uint64_t kX = 0x1000, kM = 0x2000, kS = 0x3000;

class FastTrackTest : public testing::Test {
 protected:
  void SetUp() override {
    for (unsigned child = 1; child <= 4; ++child) feed.create(0, child);
  }
  test::Bench bench{"fasttrack"};
  test::Feed<test::Bench>& feed = bench.feed();
};

TEST_F(FastTrackTest, FindsWriteAgainstWrite) {
  feed.write(1, kX, 4, 11);
  feed.write(2, kX, 4, 22);
  ASSERT_EQ(bench.found().size(), 1u);
  const Finding race = bench.found()[0];
  EXPECT_EQ(race.kind, FindingKind::race);
  EXPECT_EQ(race.first_thread.value, 1);
  EXPECT_EQ(race.second_thread.value, 2);
  EXPECT_EQ(race.first_site.value, 11u);
  EXPECT_EQ(race.second_site.value, 22u);
  EXPECT_EQ(race.object.value, kX);
}

TEST_F(FastTrackTest, FindsReadThenWriteAndWriteThenRead) {
  feed.read(1, kX);
  feed.write(2, kX);
  feed.read(3, kX);
  // 1r-2w and 2w-3r.
  EXPECT_EQ(bench.found().size(), 2u);
}

TEST_F(FastTrackTest, ReadsDoNotRace) {
  feed.read(1, kX);
  feed.read(2, kX);
  feed.read(3, kX);
  EXPECT_TRUE(bench.found().empty());
}

// The paper's figure 4: x is written, handed over by a lock, read by two threads, joined, written again.
TEST_F(FastTrackTest, FollowsThePapersExampleOfAdaptiveReads) {
  feed.write(0, kX);
  feed.create(0, 5);
  feed.read(5, kX);
  feed.read(0, kX);
  feed.exit(5);
  feed.join(0, 5);
  feed.write(0, kX);
  feed.read(0, kX);
  EXPECT_TRUE(bench.found().empty());
}

TEST_F(FastTrackTest, EveryReaderIsRememberedUntilAWriteIsOrderedAfterAll) {
  feed.sync(1, EventKind::rwlock_rdlock, kM);
  feed.read(1, kX);
  feed.sync(1, EventKind::rwlock_unlock, kM);
  feed.sync(2, EventKind::rwlock_rdlock, kM);
  feed.read(2, kX);
  feed.sync(2, EventKind::rwlock_unlock, kM);
  feed.read(3, kX, 4, 33);  // without the lock
  feed.sync(4, EventKind::rwlock_wrlock, kM);
  feed.write(4, kX, 4, 44);
  ASSERT_EQ(bench.found().size(), 1u);
  EXPECT_EQ(bench.found()[0].first_site.value, 33u);
}

TEST_F(FastTrackTest, ALockHeldByBothOrdersThem) {
  for (unsigned thread = 1; thread <= 3; ++thread) {
    feed.lock(thread, kM);
    feed.read(thread, kX);
    feed.write(thread, kX);
    feed.unlock(thread, kM);
  }
  EXPECT_TRUE(bench.found().empty());
}

TEST_F(FastTrackTest, NeighboursInOneGranuleAreDifferentVariables) {
  feed.write(1, kX, 1);
  feed.write(2, kX + 1, 1);
  feed.write(3, kX + 4, 4);
  EXPECT_TRUE(bench.found().empty());
  feed.write(4, kX + 1, 2);
  ASSERT_EQ(bench.found().size(), 1u);
  EXPECT_EQ(bench.found()[0].object.value, kX + 1);
  EXPECT_EQ(bench.found()[0].first_thread.value, 2);
}

TEST_F(FastTrackTest, AnUnalignedAccessTouchesBothGranules) {
  feed.write(1, kX + 6, 4);
  feed.write(2, kX + 8, 1);
  EXPECT_EQ(bench.found().size(), 1u);
}

TEST_F(FastTrackTest, ARangeTouchesAllOfIt) {
  feed.write(1, kX + 40, 4);
  Event range = feed.make(2, EventKind::write_range, kX);
  range.argument = 64;
  feed.send(range);
  EXPECT_EQ(bench.found().size(), 1u);
}

TEST_F(FastTrackTest, AtomicsDoNotRaceAmongThemselves) {
  feed.store(1, kX, MemoryOrder::relaxed);
  feed.store(2, kX, MemoryOrder::relaxed);
  feed.rmw(3, kX, MemoryOrder::relaxed);
  EXPECT_TRUE(bench.found().empty());
}

TEST_F(FastTrackTest, AnAtomicRacesWithAPlainAccess) {
  feed.store(1, kX, MemoryOrder::relaxed);
  feed.read(2, kX);
  EXPECT_EQ(bench.found().size(), 1u);
}

TEST_F(FastTrackTest, APlainReadIsNotHiddenByAnAtomicWriteOfTheSameThread) {
  feed.read(1, kX, 4, 11);
  feed.store(1, kX, MemoryOrder::relaxed);
  feed.store(2, kX, MemoryOrder::relaxed);
  ASSERT_EQ(bench.found().size(), 1u);
  EXPECT_EQ(bench.found()[0].first_site.value, 11u);
}

TEST_F(FastTrackTest, PublicationByReleaseAndAcquireIsNoRace) {
  feed.write(1, kX);
  feed.store(1, kS, MemoryOrder::release);
  feed.load(2, kS, MemoryOrder::acquire);
  feed.read(2, kX);
  feed.write(2, kX);
  EXPECT_TRUE(bench.found().empty());
}

TEST_F(FastTrackTest, PublicationByRelaxedIsOne) {
  feed.write(1, kX);
  feed.store(1, kS, MemoryOrder::relaxed);
  feed.load(2, kS, MemoryOrder::acquire);
  feed.read(2, kX);
  EXPECT_EQ(bench.found().size(), 1u);
}

TEST_F(FastTrackTest, PublicationByRelaxedAndFencesIsNone) {
  feed.write(1, kX);
  feed.fence(1, MemoryOrder::release);
  feed.store(1, kS, MemoryOrder::relaxed);
  feed.load(2, kS, MemoryOrder::relaxed);
  feed.fence(2, MemoryOrder::acquire);
  feed.read(2, kX);
  EXPECT_TRUE(bench.found().empty());
}

TEST_F(FastTrackTest, APairIsToldOnceHoweverOftenSeen) {
  for (int i = 0; i < 100; ++i) {
    feed.write(1, kX, 4, 11);
    feed.write(2, kX, 4, 22);
  }
  EXPECT_EQ(bench.found().size(), 1u);
}

TEST_F(FastTrackTest, MemoryThatIsAllocatedAfreshHasNoHistory) {
  feed.write(1, kX, 8);
  feed.allocate(2, kX, 16);
  feed.write(2, kX, 8);
  EXPECT_TRUE(bench.found().empty());
}

TEST_F(FastTrackTest, AnAnnouncedAccessHasNotHappenedYet) {
  feed.announce(1, EventKind::write, kX);
  feed.write(2, kX);
  EXPECT_TRUE(bench.found().empty());
  feed.write(1, kX);
  EXPECT_EQ(bench.found().size(), 1u);
}

TEST(FastTrackMemory, StaysWithinItsLimitAndCountsWhatItDropped) {
  test::Bench bench("fasttrack", 1 << 20);
  for (unsigned child = 1; child <= 4; ++child) bench.feed().create(0, child);
  for (std::uint64_t i = 0; i < 200'000; ++i) bench.feed().write(1 + i % 4, 0x10000 + i * 8, 8);
  EXPECT_LE(bench.set().memory_used(), 1u << 20);
  EXPECT_GT(bench.set().dropped(), 0u);
  EXPECT_TRUE(bench.found().empty());
}

// Threads that really run in parallel, each with its own events: what a lock keeps apart is no race, what it does not is one.
TEST(FastTrackInParallel, FindsTheRaceAndNothingElse) {
  constexpr std::uint64_t kLocked = 0x1000, kRacing = 0x2000, kLock = 0x3000;
  test::Bench bench("fasttrack");
  for (unsigned child = 1; child <= 4; ++child) bench.feed().create(0, child);
  std::mutex mutex;
  std::vector<std::thread> threads;
  for (unsigned child = 1; child <= 4; ++child) {
    threads.emplace_back([&, child] {
      const auto show = [&](EventKind kind, std::uint64_t object, std::uint64_t site) {
        Event event = test::Feed<test::Bench>::make(child, kind, object);
        event.size = 4;
        event.site = SiteId{site};
        bench.on(event);
      };
      for (int round = 0; round < 2000; ++round) {
        const std::lock_guard guard(mutex);
        show(EventKind::mutex_lock, kLock, 10);
        show(EventKind::read, kLocked, 11);
        show(EventKind::write, kLocked, 12);
        show(EventKind::mutex_unlock, kLock, 13);
      }
      show(EventKind::write, kRacing, 14);
    });
  }
  for (std::thread& thread : threads) thread.join();
  ASSERT_EQ(bench.found().size(), 1u);
  EXPECT_EQ(bench.found()[0].first_site.value, 14u);
  EXPECT_EQ(bench.found()[0].second_site.value, 14u);
  EXPECT_FALSE(bench.set().needs_turns());
}

// Atomics that many threads use again and again are in the threads' own books. A plain access finds them all the same.
class FastTrackBooks : public testing::Test {
 protected:
  void SetUp() override {
    for (unsigned child = 1; child <= 4; ++child) bench.feed().create(0, child);
  }
  void atomic(unsigned thread, EventKind kind, MemoryOrder order, std::uint64_t site) {
    const AtomicStep step{
        ThreadId{static_cast<std::uint16_t>(thread)}, kind, order, 4, kX, nullptr};
    const auto place = [site] { return SiteId{site}; };
    HappensBefore::Object* const held = bench.set().begin_atomic(step, place);
    bench.set().end_atomic(step, kind != EventKind::atomic_load, held, place);
  }
  // All but thread 4.
  void use_it_much(MemoryOrder order) {
    for (unsigned round = 0; round < 10; ++round) {
      for (unsigned thread = 1; thread <= 3; ++thread) {
        atomic(thread, EventKind::atomic_rmw, order, 10 * thread + 1);
        bench.feed().unlock(thread, kM + thread * 64);  // what comes then is news
        atomic(thread, EventKind::atomic_load, MemoryOrder::relaxed, 10 * thread + 2);
        bench.feed().unlock(thread, kM + thread * 64);
      }
    }
  }
  test::Bench bench{"fasttrack"};
};

TEST_F(FastTrackBooks, APlainReadRacesWithWhatWroteLast) {
  use_it_much(MemoryOrder::relaxed);
  EXPECT_TRUE(bench.found().empty());
  bench.feed().read(4, kX);
  ASSERT_EQ(bench.found().size(), 3u);
  for (const Finding& race : bench.found()) {
    EXPECT_EQ(race.first_site.value, 10u * race.first_thread.value + 1);
  }
}

TEST_F(FastTrackBooks, APlainWriteRacesWithLoadsToo) {
  use_it_much(MemoryOrder::relaxed);
  bench.feed().write(4, kX);
  EXPECT_EQ(bench.found().size(), 6u);
}

TEST_F(FastTrackBooks, AnAtomicThatComesAfterThePlainAccessRacesWithIt) {
  use_it_much(MemoryOrder::relaxed);
  for (unsigned thread = 1; thread <= 3; ++thread) {
    bench.feed().exit(thread);
    bench.feed().join(4, thread);
  }
  bench.feed().write(4, kX);
  EXPECT_TRUE(bench.found().empty());
  bench.feed().create(0, 5);
  atomic(5, EventKind::atomic_load, MemoryOrder::relaxed, 52);
  ASSERT_EQ(bench.found().size(), 1u);
  EXPECT_EQ(bench.found()[0].first_thread.value, 4);
}

TEST_F(FastTrackBooks, WhoIsOrderedAfterAllDoesNotRace) {
  use_it_much(MemoryOrder::acq_rel);
  for (unsigned thread = 1; thread <= 3; ++thread) {
    atomic(thread, EventKind::atomic_rmw, MemoryOrder::acq_rel, 10 * thread + 1);
  }
  atomic(4, EventKind::atomic_load, MemoryOrder::acquire, 42);
  bench.feed().write(4, kX);
  EXPECT_TRUE(bench.found().empty());
  atomic(1, EventKind::atomic_rmw, MemoryOrder::acq_rel, 11);
  EXPECT_EQ(bench.found().size(), 1u);
}

unsigned sleep_syncs(const std::vector<Finding>& found) {
  unsigned count = 0;
  for (const Finding& finding : found) count += finding.kind == FindingKind::sleep_sync ? 1 : 0;
  return count;
}

TEST_F(FastTrackTest, ASleepThatAloneOrdersTwoAccessesIsTold) {
  feed.write(1, kX);
  feed.sync(2, EventKind::sleep, 0);
  feed.read(2, kX);
  EXPECT_EQ(sleep_syncs(bench.found()), 1u);
  EXPECT_EQ(bench.found().size(), 2u);  // and the race that it is
}

TEST_F(FastTrackTest, ASleepBeforeTheFirstAccessOrdersNothing) {
  feed.sync(2, EventKind::sleep, 0);
  feed.write(1, kX);
  feed.read(2, kX);
  EXPECT_EQ(sleep_syncs(bench.found()), 0u);
}

TEST_F(FastTrackTest, WhoLookedBeforeItSleptPolls) {
  feed.read(2, kX);
  feed.write(1, kX);
  feed.sync(2, EventKind::sleep, 0);
  feed.read(2, kX);
  EXPECT_EQ(sleep_syncs(bench.found()), 0u);
}

TEST_F(FastTrackTest, WhoLookedAtAFlagBeforeItSleptPolls) {
  feed.read(2, kS);
  feed.write(1, kX);
  feed.write(1, kS);
  feed.sync(2, EventKind::sleep, 0);
  feed.read(2, kS);
  feed.read(2, kX);
  EXPECT_EQ(sleep_syncs(bench.found()), 0u);
}

TEST_F(FastTrackTest, ASleepBesideRealOrderIsFine) {
  feed.lock(1, 0x90000);
  feed.write(1, kX);
  feed.unlock(1, 0x90000);
  feed.sync(2, EventKind::sleep, 0);
  feed.lock(2, 0x90000);
  feed.read(2, kX);
  feed.unlock(2, 0x90000);
  EXPECT_TRUE(bench.found().empty());
}

// What stands for a descriptor has no bytes: it orders threads. So does a copy of nothing.
TEST_F(FastTrackTest, WhatTouchesNoByteLeavesNothingBehind) {
  const auto come_and_go = [this] {
    for (const EventKind kind : {EventKind::atomic_load, EventKind::atomic_rmw}) {
      Event order = test::Feed<test::Bench>::make(1, kind, kX + 1);
      order.order = kind == EventKind::atomic_load ? MemoryOrder::acquire : MemoryOrder::release;
      feed.send(order);
    }
    feed.access(1, EventKind::read_range, kX + 3, 0);
  };
  come_and_go();
  const std::uint64_t used = bench.set().memory_used();
  for (int i = 0; i < 20'000; ++i) come_and_go();
  EXPECT_EQ(bench.set().memory_used(), used);
  EXPECT_TRUE(bench.found().empty());
}

}  // namespace
}  // namespace heddle
