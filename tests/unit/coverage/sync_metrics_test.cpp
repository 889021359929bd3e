// Sync, HBPair(*), method and method-pair: task sets worked out by hand from 000 and 001 3.1, 3.2.
#include "metric_bench.h"

namespace heddle::test {
namespace {

constexpr std::uint64_t kX = 0x100;
constexpr std::uint64_t kLock = 0x200;
constexpr std::uint64_t kCond = 0x300;
const std::string kLockName = "o" + std::to_string(kLock);
const std::string kCondName = "o" + std::to_string(kCond);

TEST(Sync, WhoHasToWaitIsBlockedAndWhoHoldsIsBlocking) {
  MetricBench bench("Sync");
  bench.arrive(1, kLock, 10);
  bench.lock(1, kLock, 10);
  bench.arrive(2, kLock, 20);  // blocked, by what was taken at 10
  bench.unlock(1, kLock, 11);
  bench.lock(2, kLock, 20);
  bench.unlock(2, kLock, 21);
  EXPECT_EQ(bench.tasks(), (Tasks{"p10 w0", "p11 w0", "p20 w0", "p21 w0", "p20 w2", "p10 w1"}));
}

TEST(Sync, WithoutContentionThereAreOnlyVisits) {
  MetricBench bench("Sync");
  for (const unsigned thread : {1u, 2u}) {
    bench.arrive(thread, kLock, 10);
    bench.lock(thread, kLock, 10);
    bench.unlock(thread, kLock, 11);
  }
  EXPECT_EQ(bench.tasks(), (Tasks{"p10 w0", "p11 w0"}));
}

TEST(Sync, WhoIsOvertakenAtALockIsBlocked) {
  MetricBench bench("Sync");
  bench.arrive(1, kLock, 10);
  bench.arrive(2, kLock, 20);
  bench.lock(2, kLock, 20);
  EXPECT_EQ(bench.tasks(), (Tasks{"p10 w0", "p20 w0", "p10 w2", "p20 w1"}));
}

TEST(HBPair, PairsAReleaseWithTheAcquisitionOfAnotherThread) {
  MetricBench bench("HBPair");
  bench.lock(1, kLock, 10);
  bench.unlock(1, kLock, 11);
  bench.lock(1, kLock, 12);  // of the same thread: no pair
  bench.unlock(1, kLock, 13);
  bench.lock(2, kLock, 20);  // 13 before 20
  EXPECT_EQ(bench.tasks(), (Tasks{"p13 p20 " + kLockName}));
}

TEST(HBPair, KnowsNotificationsAtomicsAndThreads) {
  MetricBench bench("HBPair");
  bench.send(0, EventKind::thread_create, 0, 1, 1);
  bench.send(1, EventKind::thread_start, 0, 0, 1);
  bench.send(1, EventKind::cond_wait, kCond, 10, kLock, EventPhase::before);
  bench.send(0, EventKind::cond_signal, kCond, 2);
  bench.lock(1, kLock, 10);  // awake: 2 before 10 through the condition
  bench.send(0, EventKind::atomic_store, kX, 3);
  bench.send(1, EventKind::atomic_load, kX, 11);
  bench.send(1, EventKind::thread_exit, 0, 0, 1);
  bench.send(0, EventKind::thread_join, 0, 4, 1);
  EXPECT_EQ(bench.tasks(), (Tasks{"p1 p0 w0", "p2 p10 " + kCondName,
                                  "p3 p11 o" + std::to_string(kX), "p0 p4 w1"}));
}

TEST(HBPair, AWaitThatNobodyEndedIsNoPair) {
  MetricBench bench("HBPair");
  bench.send(2, EventKind::cond_signal, kCond, 2);  // too early
  bench.send(1, EventKind::cond_timedwait, kCond, 10, kLock, EventPhase::before);
  bench.lock(1, kLock, 10);
  EXPECT_EQ(bench.tasks(), Tasks{});
}

TEST(HBPairStarred, AddsBothThreads) {
  MetricBench bench("HBPair*");
  bench.enter(1, 901);
  bench.enter(2, 902);
  for (const unsigned thread : {1u, 2u, 1u}) {
    bench.lock(thread, kLock, 10);
    bench.unlock(thread, kLock, 11);
  }
  EXPECT_EQ(bench.tasks(),
            (Tasks{"p11 p10 " + kLockName + " T1 T2", "p11 p10 " + kLockName + " T2 T1"}));
}

// Thread 1 calls a function (from 50), in which it passes 10 and 11, and calls another from 12, in which it passes 13.
TEST(Method, IsInterruptedWhereItsThreadWasInItBeforeAndAfter) {
  MetricBench bench("method");
  bench.enter(1, 50);
  bench.feed().write(1, kX, 4, 10);
  bench.enter(1, 12);
  bench.feed().write(1, kX, 4, 13);
  bench.feed().write(2, kX, 4, 20);
  bench.feed().write(1, kX, 4, 13);  // both functions were interrupted
  bench.leave(1);
  bench.leave(1);
  EXPECT_EQ(bench.tasks(), (Tasks{"f12 w1", "f13 w1"}));
}

TEST(Method, IsNotInterruptedWhereItRanToItsEnd) {
  MetricBench bench("method");
  bench.enter(1, 50);
  bench.feed().write(1, kX, 4, 10);
  bench.feed().write(2, kX, 4, 20);
  bench.enter(1, 12);  // entered after the switch
  bench.feed().write(1, kX, 4, 13);
  bench.leave(1);
  EXPECT_EQ(bench.tasks(), (Tasks{"f12 w1", "f13 w0"}));
}

TEST(MethodPair, NamesWhatRanBeforeControlCameBack) {
  MetricBench bench("method-pair");
  bench.enter(1, 50);
  bench.feed().write(1, kX, 4, 10);
  bench.feed().write(2, kX, 4, 20);
  bench.feed().write(3, kX, 4, 30);
  bench.feed().write(1, kX, 4, 11);
  bench.feed().write(1, kX, 4, 12);  // nothing between
  EXPECT_EQ(bench.tasks(), (Tasks{"f11 f20", "f11 f30"}));
}

TEST(AbstractThreads, APoolsThreadIsAnotherWithNewWork) {
  MetricBench bench("GoodLock*");
  const auto work = [&](std::uint64_t call) {
    bench.enter(1, 60);  // takes work from a queue
    bench.send(1, EventKind::cond_wait, kCond, 61, kLock, EventPhase::before);
    bench.leave(1);
    bench.enter(1, call);
    bench.lock(1, 0x400, 10);
    bench.lock(1, 0x500, 11);
    bench.unlock(1, 0x500, 12);
    bench.unlock(1, 0x400, 13);
    bench.leave(1);
  };
  bench.enter(1, 50);
  work(70);
  work(71);
  work(70);
  EXPECT_EQ(bench.tasks(), (Tasks{"p10 p11 o1024 o1280 T1", "p10 p11 o1024 o1280 T2"}));
}

TEST(TaskSink, DescribesATaskOnceAndReportsItInEveryRun) {
  MetricBench bench("Sync");
  bench.lock(1, kLock, 10);
  EXPECT_EQ(bench.area().described_count, 1u);
  EXPECT_EQ(bench.area().covered_count, 1u);
  const std::uint64_t feature = bench.area().covered[0];
  bench.begin();
  bench.lock(1, kLock, 10);
  bench.unlock(1, kLock, 11);
  EXPECT_EQ(bench.area().described_count, 1u) << "the unlock";
  ASSERT_EQ(bench.area().covered_count, 2u);
  EXPECT_EQ(bench.area().covered[0], feature);
}

}  // namespace
}  // namespace heddle::test
