#include "detect/goldilocks.h"

#include <gtest/gtest.h>

#include "base/prng.h"
#include "detector_bench.h"

namespace heddle {
namespace {

constexpr std::uint64_t kX = 0x1000, kMa = 0x2000, kMb = 0x3000, kV = 0x4000;

class GoldilocksTest : public testing::Test {
 protected:
  void SetUp() override {
    for (unsigned child = 1; child <= 4; ++child) feed.create(0, child);
  }
  test::Bench bench{"goldilocks"};
  test::Feed<test::Bench>& feed = bench.feed();
};

// The paper's figure 2: an object made by thread 1 is handed on under ma, then under mb, without a common lock.
TEST_F(GoldilocksTest, FollowsThePapersExampleOfOwnershipTransfer) {
  feed.write(1, kX);
  feed.lock(1, kMa);
  feed.unlock(1, kMa);
  feed.lock(2, kMa);
  feed.lock(2, kMb);
  feed.unlock(2, kMb);
  feed.unlock(2, kMa);
  feed.lock(3, kMb);
  feed.write(3, kX);
  feed.unlock(3, kMb);
  EXPECT_TRUE(bench.found().empty());
}

TEST_F(GoldilocksTest, WithoutTheTransferItIsARace) {
  feed.write(1, kX);
  feed.lock(2, kMb);
  feed.unlock(2, kMb);
  feed.lock(3, kMb);
  feed.write(3, kX);
  EXPECT_EQ(bench.found().size(), 1u);
}

TEST_F(GoldilocksTest, AVolatilePassesOwnership) {
  feed.write(1, kX);
  feed.store(1, kV, MemoryOrder::release);
  feed.load(2, kV, MemoryOrder::acquire);
  feed.write(2, kX);
  EXPECT_TRUE(bench.found().empty());
}

TEST_F(GoldilocksTest, ReadersMeet) {
  feed.read(1, kX);
  feed.read(2, kX);
  EXPECT_TRUE(bench.found().empty());
  feed.write(3, kX);
  EXPECT_EQ(bench.found().size(), 2u);
}

TEST_F(GoldilocksTest, ACommonLockIsSeenAtOnce) {
  feed.lock(1, kMa);
  feed.write(1, kX);
  feed.unlock(1, kMa);
  feed.lock(2, kMa);
  feed.write(2, kX);
  feed.unlock(2, kMa);
  EXPECT_TRUE(bench.found().empty());
}

// Two precise detectors, one truth: random streams of locks, volatiles and accesses.
TEST(GoldilocksAndFastTrack, AgreeOnWhichBytesRace) {
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    SCOPED_TRACE(seed);
    bool races[2] = {};
    const char* const names[2] = {"fasttrack", "goldilocks"};
    for (int which = 0; which < 2; ++which) {
      test::Bench bench(names[which]);
      test::Feed<test::Bench>& feed = bench.feed();
      Prng prng(seed);
      for (unsigned child = 1; child <= 3; ++child) feed.create(0, child);
      std::uint64_t holder[2] = {0, 0};
      for (int step = 0; step < 30; ++step) {
        const auto thread = static_cast<unsigned>(1 + prng.below(3));
        const std::uint64_t lock = prng.below(2);
        switch (prng.below(5)) {
          case 0:
            if (holder[lock] == 0) {
              feed.lock(thread, kMa + lock * 64);
              holder[lock] = thread;
            }
            break;
          case 1:
            if (holder[lock] == thread) {
              feed.unlock(thread, kMa + lock * 64);
              holder[lock] = 0;
            }
            break;
          case 2:
            feed.rmw(thread, kV, MemoryOrder::acq_rel);
            break;
          case 3:
            feed.read(thread, kX);
            break;
          default:
            if (prng.below(4) == 0) feed.write(thread, kX);
        }
      }
      races[which] = !bench.found().empty();
    }
    EXPECT_EQ(races[0], races[1]);
  }
}

}  // namespace
}  // namespace heddle
