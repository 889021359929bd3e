#include "schedule/confirm.h"

#include <gtest/gtest.h>

#include "points.h"

namespace heddle {
namespace {

StrategyContext places(std::uint64_t first, std::uint64_t second) {
  StrategyContext context = with_argument(static_cast<std::int64_t>(first));
  context.settings.arguments[1] = static_cast<std::int64_t>(second);
  return context;
}

TEST(Confirm, WhoStandsAtAPlaceWaitsWhileAnotherCanMove) {
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    Confirm confirm;
    Prng prng{seed};
    confirm.begin_run(places(7, 8), prng);
    const std::vector<PendingOperation> candidates = {pending(0, 1, EventKind::mutex_lock, 7),
                                                      pending(1, 2, EventKind::mutex_lock, 9),
                                                      pending(2, 3, EventKind::mutex_lock, 8)};
    EXPECT_EQ(confirm.pick(point_at(candidates, 0), prng), 1u) << "seed " << seed;
  }
}

TEST(Confirm, WhenNobodyElseCanMoveOneOfThemGoesAndIsNotHeldAgain) {
  Confirm confirm;
  Prng prng{1};
  confirm.begin_run(places(7, 8), prng);
  const std::vector<PendingOperation> candidates = {pending(0, 1, EventKind::mutex_lock, 7)};
  EXPECT_EQ(confirm.pick(point_at(candidates, 0), prng), 0u);
  const std::vector<PendingOperation> more = {pending(0, 1, EventKind::mutex_lock, 7),
                                              pending(1, 2, EventKind::mutex_lock, 8)};
  EXPECT_EQ(confirm.pick(point_at(more, 1), prng), 0u);
}

TEST(Confirm, TwoAccessesThatMeetAreMadeNextToEachOtherInEitherOrder) {
  bool first_first = false;
  bool second_first = false;
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    Confirm confirm;
    Prng prng{seed};
    confirm.begin_run(places(7, 8), prng);
    const std::vector<PendingOperation> candidates = {pending(0, 1, EventKind::write, 7),
                                                      pending(1, 1, EventKind::read, 8),
                                                      pending(2, 1, EventKind::write, 9)};
    const std::size_t picked = confirm.pick(point_at(candidates, 2), prng);
    ASSERT_LT(picked, 2u) << "seed " << seed;
    (picked == 0 ? first_first : second_first) = true;
    const std::size_t other = confirm.pick(point_at(candidates, 2), prng);
    EXPECT_EQ(other, 1 - picked) << "seed " << seed;
  }
  EXPECT_TRUE(first_first);
  EXPECT_TRUE(second_first);
}

TEST(Confirm, TwoReadsAreNoMeeting) {
  Confirm confirm;
  Prng prng{1};
  confirm.begin_run(places(7, 8), prng);
  const std::vector<PendingOperation> candidates = {pending(0, 1, EventKind::read, 7),
                                                    pending(1, 1, EventKind::read, 8),
                                                    pending(2, 1, EventKind::write, 9)};
  EXPECT_EQ(confirm.pick(point_at(candidates, 2), prng), 2u);
}

}  // namespace
}  // namespace heddle
