#include "campaign/run_clock.h"

#include <gtest/gtest.h>

#include <algorithm>

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

// Whether it rests after so many looks, 25 ms apart.
template <class Sight>
bool rests(int looks, Sight&& sight) {
  RunClock clock(kBegin);
  for (int i = 1; i <= looks; ++i) {
    clock.count(kBegin + i * 25ms, [&] { return sight(i * 25ms); });
  }
  return clock.rests();
}

TEST(RunClock, SaysThatARunRestsWhenItHasStoodStillForMostOfItsTime) {
  EXPECT_TRUE(rests(100, [](auto) { return RunSight{}; }));
  EXPECT_FALSE(rests(100, [](auto now) { return RunSight{.wants_processor = true, .used = now}; }));
  const auto works_for_a_second = [](auto now) {
    return RunSight{.used = std::min<std::chrono::nanoseconds>(now, 1s)};
  };
  EXPECT_FALSE(rests(70, works_for_a_second));
  EXPECT_TRUE(rests(100, works_for_a_second));
  EXPECT_FALSE(rests(10, [](auto) { return RunSight{}; }));  // nobody has looked yet
}

TEST(RunClock, TakesNothingBackWhenAChildIsGone) {
  const auto sight = [](auto now) {
    return RunSight{.wants_processor = true,
                    .used = now < 5s ? std::chrono::nanoseconds(now) : now - 4s};
  };
  EXPECT_GE(counted(400, 25ms, sight), 9900ms);
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
