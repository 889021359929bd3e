// What strategies and the engine share: stalls, the fair tail, the access recorder.
#include <gtest/gtest.h>

#include <algorithm>

#include <set>

#include "points.h"
#include "schedule/access_recorder.h"
#include "schedule/stalls.h"

namespace heddle {
namespace {

PendingOperation stalled(std::uint16_t thread) {
  PendingOperation operation = pending(thread);
  operation.stall = 1;
  return operation;
}

TEST(Stalls, ComeNowAndThenButNotAlways) {
  Prng prng{1};
  int chosen = 0;
  for (int run = 0; run < 200; ++run) {
    Stalls stalls;
    stalls.begin_run(prng);
    chosen += stalls.pick(point_at({pending(0), stalled(1)}, 0), prng) == 1;
  }
  EXPECT_GT(chosen, 10);
  EXPECT_LT(chosen, 100);
}

TEST(Stalls, AreTakenWhenThereIsNothingElse) {
  Prng prng{1};
  Stalls stalls;
  stalls.begin_run(prng);
  EXPECT_NE(stalls.pick(point_at({stalled(0), stalled(1)}, 0), prng), kNoCandidate);
}

TEST(Stalls, WhoWasWokenEarlyGetsOnWithItForAWhile) {
  Prng prng{1};
  int longest = 0;
  int shortest = 1000;
  for (int run = 0; run < 100; ++run) {
    Stalls stalls;
    stalls.begin_run(prng);
    ASSERT_EQ(stalls.pick(point_at({stalled(1)}, 0), prng), 0u);
    int steps = 0;
    while (stalls.pick(point_at({pending(0), pending(1)}, 1), prng) == 1) ++steps;
    longest = std::max(longest, steps);
    shortest = std::min(shortest, steps);
  }
  EXPECT_EQ(shortest, 0);
  EXPECT_GT(longest, 60);
}

TEST(Stalls, WhoYieldsOrCannotRunIsAheadNoLonger) {
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    Prng prng{seed};
    Stalls stalls;
    stalls.begin_run(prng);
    ASSERT_EQ(stalls.pick(point_at({stalled(1)}, 0), prng), 0u);
    EXPECT_EQ(stalls.pick(point_at({pending(0), pending(1)}, 1, {.yields = true}), prng),
              kNoCandidate);
    EXPECT_EQ(stalls.pick(point_at({pending(0), pending(1)}, 1), prng), kNoCandidate);
  }
}

TEST(DefaultCandidate, IsWhoeverGotHere) {
  EXPECT_EQ(default_candidate(point_at({pending(0), pending(1), pending(4)}, 1)), 1u);
}

TEST(DefaultCandidate, ElseTheNextInTheCircleThatNeedsNoStall) {
  EXPECT_EQ(default_candidate(point_at({pending(0), pending(3)}, 1)), 1u);
  EXPECT_EQ(default_candidate(point_at({pending(0), pending(3)}, 5)), 0u);
  EXPECT_EQ(default_candidate(point_at({pending(0), stalled(3)}, 1)), 0u);
  EXPECT_EQ(default_candidate(point_at({pending(0), pending(1)}, 1, {.yields = true})), 0u);
}

TEST(AccessRecorder, CountsByThreadSiteAndObject) {
  AccessProfile table[8] = {};
  std::uint64_t count = 0;
  AccessRecorder recorder;
  recorder.begin_run(table, &count);
  recorder.note(pending(0, 1, EventKind::write, 10));
  recorder.note(pending(0, 1, EventKind::write, 10));
  recorder.note(pending(1, 1, EventKind::write, 10));
  recorder.note(pending(0, 2, EventKind::write, 10));
  EXPECT_EQ(count, 3u);
  EXPECT_EQ(table[0].count, 2u);
  EXPECT_EQ(table[1].path_hash, 1001u);
  EXPECT_EQ(table[2].object, make_global(0, 2));
}

TEST(AccessRecorder, AFullTableStillCountsWhatItKnows) {
  AccessProfile table[2] = {};
  std::uint64_t count = 0;
  AccessRecorder recorder;
  recorder.begin_run(table, &count);
  for (std::uint64_t object = 0; object < 100; ++object) recorder.note(pending(0, object));
  recorder.note(pending(0, 1));
  EXPECT_EQ(count, 2u);
  EXPECT_EQ(table[1].count, 2u);
}

}  // namespace
}  // namespace heddle
