#include <gtest/gtest.h>

#include "scripted.h"

namespace heddle {
namespace {

using namespace scripted;

// Sites are the fourth argument: 10, 20… are the places of a made-up program.

TEST(Coverage, DelaysTheFirstOfTwoAccessesFromDifferentThreads) {
  Stage stage(everywhere("coverage"));
  EXPECT_EQ(stage.play({write(1, 8, 10), read(2, 8, 20)}), "..") << "only now the couple is known";
  EXPECT_EQ(stage.play({write(1, 8, 10), read(3, 24, 30)}), "!.");
}

TEST(Coverage, TakesAccessesOfOneThreadForNoCouple) {
  EXPECT_EQ(Stage(everywhere("coverage"))
                .play({write(1, 8, 10), read(1, 8, 20), write(1, 8, 10), read(1, 8, 20)}),
            "....");
}

TEST(Coverage, DelaysTheLockWhenBothAccessesAreGuardedByIt) {
  Stage stage(everywhere("coverage"));
  stage.play({lock(1, 64, 10), write(1, 8, 11), unlock(1, 64, 12)});
  stage.play({lock(2, 64, 20), read(2, 8, 21), unlock(2, 64, 22)});
  EXPECT_EQ(stage.play({lock(1, 64, 10), write(1, 8, 11), unlock(1, 64, 12)}), "!..");
}

TEST(Coverage, DelaysTheAccessWhenTheLocksDiffer) {
  Stage stage(everywhere("coverage"));
  stage.play({lock(1, 64, 10), write(1, 8, 11), unlock(1, 64, 12)});
  stage.play({lock(2, 72, 20), read(2, 8, 21), unlock(2, 72, 22)});
  EXPECT_EQ(stage.play({lock(1, 64, 10), write(1, 8, 11), unlock(1, 64, 12)}), ".!.");
}

TEST(Coverage, DoesNotCountALockThatBothHoldAsReaders) {
  Stage stage(everywhere("coverage"));
  const auto reader = [](unsigned thread, std::uint64_t site) {
    return event(thread, EventKind::rwlock_rdlock, 64, site);
  };
  stage.play({reader(1, 10), write(1, 8, 11), reader(2, 20), read(2, 8, 21)});
  EXPECT_EQ(stage.play({reader(3, 10), write(3, 8, 11)}), ".!");
}

TEST(Coverage, DisturbsAPlaceTheLessTheMoreOftenItRuns) {
  Stage stage(everywhere("coverage"));
  stage.play({write(1, 8, 10), read(2, 8, 20)});
  int early = 0;
  int late = 0;
  for (int i = 0; i < 9; ++i) early += stage.disturbs(write(1, 16, 10));
  for (int i = 0; i < 990; ++i) stage.at(write(1, 16, 10));
  for (int i = 0; i < 1000; ++i) late += stage.disturbs(write(1, 16, 10));
  EXPECT_EQ(early, 9);
  EXPECT_NEAR(late, 7, 7) << "10 in n for n from 1000 to 2000";
}

TEST(Coverage, PassesItsPlacesOnToTheNextRun) {
  Stage first(everywhere("coverage"));
  first.play({write(1, 8, 10), read(2, 8, 20)});
  NoiseLesson lessons[4] = {};
  ASSERT_EQ(first.mixer().teach(lessons), 1u);
  Stage second(everywhere("coverage"));
  second.mixer().learn({lessons, 1});
  EXPECT_EQ(second.play({write(1, 8, 10), read(2, 8, 20)}), "!.");
}

}  // namespace
}  // namespace heddle
