// ConcurPairs, DUPairs(*), reads-from and Avio(*): task sets worked out by hand from 001 3.1 and 3.2.
#include "metric_bench.h"

namespace heddle::test {
namespace {

constexpr std::uint64_t kX = 0x100;
constexpr std::uint64_t kY = 0x200;
const std::string kXName = "o" + std::to_string(kX);

TEST(ConcurPairs, TellsSwitchesFromConsecutivePlaces) {
  MetricBench bench("ConcurPairs");
  bench.feed().write(1, kX, 4, 10);
  bench.feed().read(1, kX, 4, 11);   // 10 then 11, same thread
  bench.feed().write(2, kX, 4, 20);  // 11 then 20, switch
  bench.feed().read(1, kX, 4, 11);   // 20 then 11, switch
  bench.feed().write(1, kX, 4, 10);
  bench.feed().read(1, kX, 4, 11);  // again
  EXPECT_EQ(bench.tasks(), (Tasks{"p10 p11 w0", "p11 p20 w1", "p20 p11 w1", "p11 p10 w0"}));
}

TEST(ConcurPairs, MonitorsPrimitivesToo) {
  MetricBench bench("ConcurPairs");
  bench.arrive(1, kY, 5);  // only gets there
  bench.lock(1, kY, 5);
  bench.feed().write(1, kX, 4, 10);
  bench.unlock(1, kY, 6);
  EXPECT_EQ(bench.tasks(), (Tasks{"p5 p10 w0", "p10 p6 w0"}));
}

TEST(DUPairs, PairsEachUseWithItsDefinition) {
  MetricBench bench("DUPairs");
  bench.feed().read(2, kX, 4, 20);  // nothing was defined yet
  bench.feed().write(1, kX, 4, 10);
  bench.feed().write(1, kX, 4, 11);  // the first definition is gone
  bench.feed().read(2, kX, 4, 20);
  bench.feed().read(1, kX, 4, 12);
  bench.feed().read(2, kY, 4, 20);  // another variable
  EXPECT_EQ(bench.tasks(), (Tasks{kXName + " p11 p20", kXName + " p11 p12"}));
}

TEST(DUPairs, MemoryHandedOutAgainIsAnotherVariable) {
  MetricBench bench("DUPairs");
  bench.feed().write(1, kX, 4, 10);
  bench.feed().allocate(2, kX, 64);
  bench.feed().read(2, kX, 4, 20);
  EXPECT_EQ(bench.tasks(), Tasks{});
}

TEST(DUPairsStarred, AddsWhoDefinedAndWhoUsed) {
  MetricBench bench("DUPairs*");
  two_kinds_of_threads(bench);
  bench.feed().write(1, kX, 4, 10);
  bench.feed().read(2, kX, 4, 20);
  bench.feed().write(2, kX, 4, 10);
  bench.feed().read(1, kX, 4, 20);
  EXPECT_EQ(bench.tasks(), (Tasks{kXName + " p10 p20 T1 T2", kXName + " p10 p20 T2 T1"}));
}

TEST(ReadsFrom, HasTheInitialValueAndBothKindsOfWriters) {
  MetricBench bench("reads-from");
  bench.feed().read(1, kX, 4, 10);
  bench.feed().write(1, kX, 4, 11);
  bench.feed().read(1, kX, 4, 10);
  bench.feed().read(2, kX, 4, 20);
  bench.send(2, EventKind::atomic_store, kY, 21);
  bench.send(1, EventKind::atomic_load, kY, 12);
  EXPECT_EQ(bench.tasks(),
            (Tasks{kXName + " p0 p10 w0", kXName + " p11 p10 w1", kXName + " p11 p20 w2",
                   "o" + std::to_string(kY) + " p21 p12 w2"}));
}

TEST(Avio, TakesTheLastAccessBetweenTwoOfOneThread) {
  MetricBench bench("Avio");
  bench.feed().read(1, kX, 4, 10);
  bench.feed().write(2, kX, 4, 20);
  bench.feed().write(2, kX, 4, 21);  // the last one between counts
  bench.feed().write(1, kX, 4, 11);  // 10, 11 with 21 between
  bench.feed().read(1, kX, 4, 12);   // nobody between
  bench.feed().read(2, kX, 4, 22);   // 21, 22 with 12 between
  EXPECT_EQ(bench.tasks(), (Tasks{"p10 p11 p21 " + kXName, "p21 p22 p12 " + kXName}));
}

TEST(AvioStarred, AddsBothThreads) {
  MetricBench bench("Avio*");
  two_kinds_of_threads(bench);
  for (const unsigned first : {1u, 2u}) {
    bench.feed().read(first, kX, 4, 10);
    bench.feed().write(3 - first, kX, 4, 20);
    bench.feed().write(first, kX, 4, 11);
    bench.feed().allocate(0, kX, 8);
  }
  EXPECT_EQ(bench.tasks(),
            (Tasks{"p10 p11 p20 " + kXName + " T1 T2", "p10 p11 p20 " + kXName + " T2 T1"}));
}

}  // namespace
}  // namespace heddle::test
