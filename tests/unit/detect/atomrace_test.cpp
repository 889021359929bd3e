#include "detect/atomrace.h"

#include <gtest/gtest.h>

#include "detector_bench.h"

namespace heddle {
namespace {

constexpr std::uint64_t kX = 0x1000, kM = 0x2000;

TEST(AtomRace, FindsAnAccessInsideAnothersWindow) {
  test::Bench bench("atomrace");
  bench.feed().announce(1, EventKind::write, kX);
  bench.feed().read(2, kX);
  EXPECT_EQ(bench.found().size(), 1u);
}

TEST(AtomRace, AWindowEndsWithItsThreadsNextEvent) {
  test::Bench bench("atomrace");
  bench.feed().write(1, kX);
  bench.feed().unlock(1, kM);
  bench.feed().write(2, kX);
  EXPECT_TRUE(bench.found().empty());
}

TEST(AtomRace, AnAccessThatIsDoneIsOver) {
  test::Bench bench("atomrace");
  bench.feed().announce(1, EventKind::write, kX);
  bench.feed().write(1, kX);
  bench.feed().write(2, kX);
  EXPECT_TRUE(bench.found().empty());
}

TEST(AtomRace, TwoReadsMayOverlap) {
  test::Bench bench("atomrace");
  bench.feed().announce(1, EventKind::read, kX);
  bench.feed().read(2, kX);
  EXPECT_TRUE(bench.found().empty());
}

TEST(AtomRace, DifferentBytesDoNotMeet) {
  test::Bench bench("atomrace");
  bench.feed().announce(1, EventKind::write, kX);
  bench.feed().write(2, kX + 4);
  EXPECT_TRUE(bench.found().empty());
}

// A race that does not overlap is not found: the paper's own limit.
TEST(AtomRace, MissesARaceWhoseAccessesDoNotMeet) {
  test::Bench bench("atomrace");
  bench.feed().write(1, kX);
  bench.feed().write(1, kX + 64);
  bench.feed().write(2, kX);
  EXPECT_TRUE(bench.found().empty());
}

}  // namespace
}  // namespace heddle
