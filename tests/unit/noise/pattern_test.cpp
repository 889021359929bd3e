#include <gtest/gtest.h>

#include "scripted.h"

namespace heddle {
namespace {

using namespace scripted;

TEST(Pattern, DisturbsTheSecondAndLaterAccessesInOneCall) {
  Stage stage(everywhere("pattern"));
  EXPECT_TRUE(stage.mixer().needs_functions());
  EXPECT_EQ(
      stage.play({enter(1, 100), read(1, 8), write(1, 8), read(1, 16), write(1, 8), leave(1)}),
      "..!.!.");
}

TEST(Pattern, StartsAnewWithEachCall) {
  EXPECT_EQ(Stage(everywhere("pattern"))
                .play({enter(1, 100), read(1, 8), leave(1), enter(1, 100), write(1, 8), leave(1)}),
            "......");
}

TEST(Pattern, TakesACalledFunctionForAnotherUnit) {
  EXPECT_EQ(Stage(everywhere("pattern"))
                .play({enter(1, 100), read(1, 8), enter(1, 200), write(1, 8), leave(1), write(1, 8),
                       leave(1)}),
            ".....!.");
}

TEST(Pattern, CountsEachThreadByItself) {
  EXPECT_EQ(Stage(everywhere("pattern")).play({read(1, 8), read(2, 8), write(1, 8), write(2, 8)}),
            "..!!");
}

TEST(Pattern, DisturbsInsideCriticalSectionsButNotTheLock) {
  EXPECT_EQ(Stage(everywhere("pattern"))
                .play({lock(1, 64), read(1, 8), write(1, 8), unlock(1, 64), lock(1, 64)}),
            "..!..");
}

TEST(Pattern, DoesNotTakeTheEndOfAnAccessForASecondOne) {
  NoiseSettings settings = everywhere("pattern");
  settings.when = NoiseWhen::both;
  EXPECT_EQ(Stage(settings).play({read(1, 8), after(read(1, 8)), read(1, 8), after(read(1, 8))}),
            "..!.");
}

TEST(Pattern, SurvivesDeepRecursion) {
  Stage stage(everywhere("pattern"));
  for (int i = 0; i < 500; ++i) EXPECT_FALSE(stage.disturbs(enter(1, 100)));
  EXPECT_EQ(stage.play({read(1, 8), write(1, 8)}), ".!");
  for (int i = 0; i < 600; ++i) stage.at(leave(1));
  EXPECT_EQ(stage.play({read(1, 16), write(1, 16)}), ".!");
}

}  // namespace
}  // namespace heddle
