#include "schedule/pos.h"

#include <gtest/gtest.h>

#include <map>

#include "model_campaign.h"
#include "points.h"

namespace heddle {
namespace {

TEST(Pos, OperationsThatDoNotRaceKeepTheirScores) {
  // After thread 1 ran, threads 0 and 2 (other objects) must come in the order their scores had: always the same way.
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    Pos pos;
    Prng prng{seed};
    pos.begin_run({}, prng);
    const std::vector<PendingOperation> three = {pending(0, 1), pending(1, 2), pending(2, 3)};
    const std::size_t first = pos.pick(point_at(three, 0), prng);
    std::vector<PendingOperation> two = three;
    two.erase(two.begin() + static_cast<long>(first));
    // Asking again with the same two must not change the answer.
    Pos copy = pos;
    Prng other{seed + 1000};
    const SchedulePoint point = point_at(two, three[first].thread.value);
    EXPECT_EQ(pos.pick(point, prng), copy.pick(point, other)) << "seed " << seed;
  }
}

TEST(Pos, OperationsThatRaceWithWhatRanDrawAgain) {
  int different = 0;
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    Pos pos;
    Prng prng{seed};
    pos.begin_run({}, prng);
    const std::vector<PendingOperation> three = {pending(0, 1), pending(1, 1), pending(2, 1)};
    const std::size_t first = pos.pick(point_at(three, 0), prng);
    std::vector<PendingOperation> two = three;
    two.erase(two.begin() + static_cast<long>(first));
    Pos copy = pos;
    Prng other{seed + 1000};
    const SchedulePoint point = point_at(two, three[first].thread.value);
    different += pos.pick(point, prng) != copy.pick(point, other);
  }
  EXPECT_GT(different, 50);
}

TEST(Pos, ReadsOfOneObjectDoNotRace) {
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    Pos pos;
    Prng prng{seed};
    pos.begin_run({}, prng);
    const std::vector<PendingOperation> three = {pending(0, 1, EventKind::read),
                                                 pending(1, 1, EventKind::atomic_load),
                                                 pending(2, 1, EventKind::read)};
    const std::size_t first = pos.pick(point_at(three, 0), prng);
    std::vector<PendingOperation> two = three;
    two.erase(two.begin() + static_cast<long>(first));
    Pos copy = pos;
    Prng other{seed + 1000};
    const SchedulePoint point = point_at(two, three[first].thread.value);
    EXPECT_EQ(pos.pick(point, prng), copy.pick(point, other));
  }
}

// The paper's point: a lone write before n others of its thread's peer is found far more often than by a random walk.
TEST(Pos, NeedsFewerSchedulesThanPublishedOnSmallPatterns) {
  EXPECT_LT(model::mean_schedules(model::stringbuffer(), model::settings("pos"), 40, 500).schedules,
            40);
  EXPECT_LT(model::mean_schedules(model::deadlock01(), model::settings("pos"), 40, 500).schedules,
            20);
}

}  // namespace
}  // namespace heddle
