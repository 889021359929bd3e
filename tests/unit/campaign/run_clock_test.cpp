#include "campaign/run_clock.h"

#include <gtest/gtest.h>

namespace heddle::campaign {
namespace {

using namespace std::chrono_literals;

const RunClock::Time kBegin{};

// So many looks, 25 ms apart or as told; what has counted at the end.
template <class Sight>
std::chrono::nanoseconds counted(int looks, std::chrono::milliseconds apart, Sight&& sight) {
  RunClock clock(kBegin);
  RunClock::Time result = kBegin;
  for (int i = 1; i <= looks; ++i) {
    result = clock.count(kBegin + i * apart, [&] { return sight(i * apart); });
  }
  return result - kBegin;
}

TEST(RunClock, CountsTimeThatPassesWhileTheRunSleepsOrWorks) {
  EXPECT_EQ(counted(400, 25ms, [](auto) { return RunSight{}; }), 10s);
  EXPECT_EQ(
      counted(400, 25ms, [](auto now) { return RunSight{.wants_processor = true, .used = now}; }),
      10s);
  // A quarter of a processor is enough.
  EXPECT_EQ(counted(400, 25ms,
                    [](auto now) {
                      return RunSight{.wants_processor = true,
                                      .used = std::chrono::nanoseconds(now) / 4};
                    }),
            10s);
}

TEST(RunClock, DoesNotCountTimeInWhichNobodyLooked) {
  RunClock clock(kBegin);
  EXPECT_EQ(clock.add(kBegin + 1s, RunSight{}), kBegin + 50ms);
}

TEST(RunClock, DoesNotCountTimeInWhichTheRunGotNoProcessor) {
  const auto starves = [](auto) { return RunSight{.wants_processor = true}; };
  EXPECT_LT(counted(400, 25ms, starves), 600ms);
  const auto waits_to_start = [](auto) { return RunSight{.started = false}; };
  EXPECT_LT(counted(400, 25ms, waits_to_start), 600ms);
}

TEST(RunClock, DoesNotWaitForEver) {
  const auto starves = [](auto) { return RunSight{.wants_processor = true}; };
  EXPECT_GE(counted(12'000, 25ms, starves), 10s);
}

}  // namespace
}  // namespace heddle::campaign
