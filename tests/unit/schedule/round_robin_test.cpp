#include "schedule/round_robin.h"

#include <gtest/gtest.h>

#include "points.h"

namespace heddle {
namespace {

std::string order(std::int64_t quantum, bool yields = false) {
  RoundRobin round_robin;
  Prng prng{1};
  round_robin.begin_run(with_argument(quantum), prng);
  const std::vector<PendingOperation> candidates = {pending(0), pending(1), pending(2)};
  std::string order;
  std::uint16_t current = 0;
  for (int i = 0; i < 6; ++i) {
    current = static_cast<std::uint16_t>(
        round_robin.pick(point_at(candidates, current, {.yields = yields}), prng));
    order += static_cast<char>('0' + current);
  }
  return order;
}

TEST(RoundRobin, GoesRoundInOrderOfCreation) { EXPECT_EQ(order(1), "120120"); }
TEST(RoundRobin, StaysForTheQuantum) { EXPECT_EQ(order(3), "001112"); }
TEST(RoundRobin, AThreadThatGivesWayLosesTheRestOfItsTurn) { EXPECT_EQ(order(9, true), "120120"); }

TEST(RoundRobin, GoesOnWherePickWouldAnswerTheSame) {
  RoundRobin asked, picks;
  Prng prng{1};
  asked.begin_run(with_argument(3), prng);
  picks.begin_run(with_argument(3), prng);
  const std::vector<PendingOperation> candidates = {pending(0), pending(1), pending(2)};
  std::uint16_t current = 0;
  int went_on = 0;
  for (int i = 0; i < 12; ++i) {
    const bool goes_on = asked.goes_on_for(point_at({}, current)) > 0;
    if (goes_on) asked.went_on(1);
    const auto picked = static_cast<std::uint16_t>(picks.pick(point_at(candidates, current), prng));
    EXPECT_EQ(goes_on, picked == current);
    if (!goes_on) {
      EXPECT_EQ(asked.pick(point_at(candidates, current), prng), picked);
    }
    went_on += goes_on ? 1 : 0;
    current = picked;
  }
  EXPECT_EQ(went_on, 8);
}

TEST(RoundRobin, SaysForHowLongAndCountsWhatWasUsedOfIt) {
  RoundRobin asked;
  Prng prng{1};
  asked.begin_run(with_argument(5), prng);
  EXPECT_EQ(asked.goes_on_for(point_at({}, 0)), 4u);
  EXPECT_EQ(asked.goes_on_for(point_at({}, 0)), 4u) << "asking uses nothing up";
  asked.went_on(3);
  EXPECT_EQ(asked.goes_on_for(point_at({}, 0)), 1u);
  asked.went_on(1);
  EXPECT_EQ(asked.goes_on_for(point_at({}, 0)), 0u);
}

}  // namespace
}  // namespace heddle
