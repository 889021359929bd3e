// Eraser(*), GoldiLock(*), GoldiLockSC and GoodLock(*): task sets worked out by hand from 001 3.2 and 5.5.1.
#include "metric_bench.h"

namespace heddle::test {
namespace {

constexpr std::uint64_t kX = 0x100;
constexpr std::uint64_t kLock = 0x200;
constexpr std::uint64_t kOther = 0x300;
const std::string kXName = "o" + std::to_string(kX);
const std::string kLockName = "o" + std::to_string(kLock);
const std::string kOtherName = "o" + std::to_string(kOther);

TEST(Eraser, WalksThroughItsStates) {
  MetricBench bench("Eraser");
  bench.feed().write(1, kX, 4, 10);  // virgin
  bench.feed().write(1, kX, 4, 10);  // exclusive
  bench.lock(2, kLock, 5);
  bench.lock(2, kOther, 6);
  bench.feed().write(2, kX, 4, 20);  // still exclusive when reached; then exclusive', both locks
  bench.feed().read(2, kX, 4, 21);   // exclusive', both locks
  bench.unlock(2, kOther, 7);
  bench.unlock(2, kLock, 8);
  bench.lock(1, kLock, 5);
  bench.feed().read(1, kX, 4, 11);  // exclusive', both; then modified, one lock
  bench.feed().read(1, kX, 4, 12);  // modified
  bench.unlock(1, kLock, 8);
  bench.feed().read(1, kX, 4, 13);  // modified, one lock; then race
  bench.feed().read(2, kX, 4, 22);  // race, none
  EXPECT_EQ(bench.tasks(), (Tasks{
                               "p10 " + kXName + " w0",
                               "p10 " + kXName + " w1",
                               "p20 " + kXName + " w1",
                               "p21 " + kXName + " w2 " + kLockName + " " + kOtherName,
                               "p11 " + kXName + " w2 " + kLockName + " " + kOtherName,
                               "p12 " + kXName + " w4 " + kLockName,
                               "p13 " + kXName + " w4 " + kLockName,
                               "p22 " + kXName + " w5",
                           }));
}

TEST(Eraser, ReadersShareWithoutARace) {
  MetricBench bench("Eraser");
  bench.feed().write(1, kX, 4, 10);
  bench.feed().read(2, kX, 4, 20);
  bench.feed().read(3, kX, 4, 20);
  bench.feed().read(1, kX, 4, 11);
  EXPECT_EQ(bench.tasks(), (Tasks{"p10 " + kXName + " w0", "p20 " + kXName + " w1",
                                  "p20 " + kXName + " w2", "p11 " + kXName + " w3"}));
}

TEST(EraserStarred, AddsTheThread) {
  MetricBench bench("Eraser*");
  two_kinds_of_threads(bench);
  for (const unsigned thread : {1u, 2u}) {
    bench.feed().write(thread, kX, 4, 10);
    bench.feed().allocate(0, kX, 8);
  }
  EXPECT_EQ(bench.tasks(), (Tasks{"p10 " + kXName + " w0 T1", "p10 " + kXName + " w0 T2"}));
}

// Thread 1 hands over to 2 through a lock, 2 to 3 through nothing at all.
void hand_over(MetricBench& bench) {
  bench.feed().create(0, 1);
  bench.feed().create(0, 2);
  bench.feed().create(0, 3);
  bench.enter(1, 901);
  bench.enter(2, 902);
  bench.enter(3, 903);
  bench.feed().write(1, kX, 4, 10);  // the first access
  bench.feed().read(1, kX, 4, 11);   // the same thread
  bench.lock(1, kLock, 5);
  bench.unlock(1, kLock, 6);
  bench.lock(2, kLock, 7);
  bench.unlock(2, kLock, 8);
  bench.feed().write(2, kX, 4, 20);  // passed on: thread 1, the lock, thread 2
  bench.feed().write(3, kX, 4, 30);  // a race: thread 2 alone owns it
}

TEST(GoldiLock, HasTheSetThatOwnsTheVariable) {
  MetricBench bench("GoldiLock");
  hand_over(bench);
  const Tasks tasks = bench.tasks();
  EXPECT_EQ(tasks.size(), 4u);
  EXPECT_TRUE(tasks.contains("p10 " + kXName));
  EXPECT_TRUE(tasks.contains("p11 " + kXName + " T1"));
  EXPECT_TRUE(tasks.contains("p20 " + kXName + " " + kLockName + " T1 T2") ||
              tasks.contains("p20 " + kXName + " " + kLockName + " T2 T1"));
  EXPECT_TRUE(tasks.contains("p30 " + kXName + " T2"));
}

TEST(GoldiLockStarred, AddsTheThread) {
  MetricBench bench("GoldiLock*");
  two_kinds_of_threads(bench);
  for (const unsigned thread : {1u, 2u}) {
    bench.feed().write(thread, kX, 4, 10);
    bench.feed().allocate(0, kX, 8);
  }
  EXPECT_EQ(bench.tasks(), (Tasks{"p10 " + kXName + " T1", "p10 " + kXName + " T2"}));
}

TEST(GoldiLockSC, TellsHowItDecided) {
  MetricBench bench("GoldiLockSC");
  hand_over(bench);
  bench.lock(3, kLock, 5);
  bench.feed().write(3, kX, 4, 31);  // the same thread
  bench.unlock(3, kLock, 6);
  bench.lock(2, kLock, 5);
  bench.feed().write(2, kX, 4, 21);  // a lock held then is held now
  const Tasks tasks = bench.tasks();
  EXPECT_TRUE(tasks.contains("p10 " + kXName + " w0"));
  EXPECT_TRUE(tasks.contains("p11 " + kXName + " w0"));
  EXPECT_TRUE(tasks.contains("p31 " + kXName + " w0"));
  EXPECT_TRUE(tasks.contains("p21 " + kXName + " w1"));
  EXPECT_TRUE(tasks.contains("p30 " + kXName + " w3"));
  EXPECT_EQ(tasks.size(), 6u) << "and the one that needed the whole set";
  std::uint64_t weight = 0;
  for (std::uint64_t i = 0; i < bench.area().described_count; ++i) {
    weight += bench.area().described[i].weight;
  }
  EXPECT_EQ(weight, 3 * 1 + 5 + 5 + 10u);
}

TEST(GoodLock, PairsALockThatIsHeldWithTheNext) {
  MetricBench bench("GoodLock");
  bench.lock(1, kLock, 10);
  bench.arrive(1, kOther, 11);  // asked for is enough
  bench.lock(2, kOther, 20);
  bench.unlock(2, kOther, 21);
  bench.lock(2, kLock, 22);  // nothing is held
  EXPECT_EQ(bench.tasks(), (Tasks{"p10 p11 " + kLockName + " " + kOtherName}));
}

TEST(GoodLockStarred, AddsTheThread) {
  MetricBench bench("GoodLock*");
  two_kinds_of_threads(bench);
  for (const unsigned thread : {1u, 2u}) {
    bench.lock(thread, kLock, 10);
    bench.lock(thread, kOther, 11);
    bench.unlock(thread, kOther, 12);
    bench.unlock(thread, kLock, 13);
  }
  const std::string both = "p10 p11 " + kLockName + " " + kOtherName;
  EXPECT_EQ(bench.tasks(), (Tasks{both + " T1", both + " T2"}));
}

}  // namespace
}  // namespace heddle::test
