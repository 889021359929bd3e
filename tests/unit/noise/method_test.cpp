#include <gtest/gtest.h>

#include "scripted.h"

namespace heddle {
namespace {

using namespace scripted;

TEST(Method, DisturbsAFunctionUntilASwitchHasInterruptedIt) {
  Stage stage(everywhere("method"));
  EXPECT_TRUE(stage.mixer().needs_functions());
  EXPECT_EQ(stage.play({enter(1, 100), read(1, 8), write(1, 8)}), ".!!");
  EXPECT_EQ(stage.play({enter(2, 200), read(2, 16)}), ".!");
  EXPECT_EQ(stage.play({write(1, 8), read(1, 8)}), "..") << "thread 2 came in between";
  EXPECT_EQ(stage.play({leave(1), enter(1, 100), read(1, 8)}), "...") << "once is enough";
}

TEST(Method, LeavesAloneOnlyTheFunctionsThatTheSwitchFellInto) {
  Stage stage(everywhere("method"));
  stage.play({enter(1, 100), read(1, 8), enter(2, 200), read(2, 16)});
  EXPECT_EQ(stage.play({enter(1, 101), read(1, 8)}), ".!") << "101 was entered after the switch";
  EXPECT_EQ(stage.play({leave(1), read(1, 8)}), "..") << "100 was interrupted";
}

TEST(Method, CountsTheCallersAsInterruptedToo) {
  Stage stage(everywhere("method"));
  stage.play({enter(1, 100), enter(1, 101), read(1, 8), read(2, 16), read(1, 8)});
  EXPECT_EQ(stage.play({leave(1), read(1, 8)}), "..");
}

TEST(Method, RemembersEarlierRuns) {
  Stage first(everywhere("method"));
  first.play({enter(1, 100), read(1, 8), read(2, 16), read(1, 8)});
  NoiseLesson lessons[4] = {};
  ASSERT_EQ(first.mixer().teach(lessons), 1u);
  Stage second(everywhere("method"));
  second.mixer().learn({lessons, 1});
  EXPECT_EQ(second.play({enter(1, 100), read(1, 8), enter(1, 101), read(1, 8)}), "...!");
}

TEST(MethodPair, LeavesAThreadAloneWhileItIsTheOnlyOne) {
  EXPECT_EQ(Stage(everywhere("method-pair")).play({enter(1, 100), read(1, 8), write(1, 8)}), "...");
}

TEST(MethodPair, DisturbsAFunctionUntilEveryKnownOneHasInterruptedIt) {
  Stage stage(everywhere("method-pair"));
  stage.play({enter(1, 100), read(1, 8), enter(2, 200)});
  EXPECT_TRUE(stage.disturbs(read(2, 16))) << "200 is known and has not interrupted itself";
  EXPECT_TRUE(stage.disturbs(read(1, 8))) << "(100, 200) is covered, (100, 100) is not";
  stage.play({enter(3, 100), read(3, 8)});
  EXPECT_FALSE(stage.disturbs(read(1, 8))) << "(100, 100) is covered by thread 3";
  stage.play({leave(2), enter(2, 201), read(2, 16)});
  EXPECT_FALSE(stage.disturbs(read(1, 8))) << "201 is known by interrupting 100";
  stage.play({leave(3), enter(3, 300), read(3, 8), leave(1), enter(1, 101)});
  EXPECT_TRUE(stage.disturbs(read(1, 8))) << "nothing has interrupted 101";
}

TEST(MethodPair, CountsTheFunctionOfTheLastEventAsInterrupted) {
  Stage stage(everywhere("method-pair"));
  stage.play({read(3, 0), enter(1, 100), read(1, 8), enter(2, 200), read(2, 16), read(1, 8)});
  NoiseLesson lessons[8] = {};
  const std::size_t count = stage.mixer().teach(lessons);
  bool found = false;
  for (std::size_t i = 0; i < count; ++i) {
    found = found || (lessons[i].first == make_site(1, 100).value &&
                      lessons[i].second == make_site(1, 200).value);
    EXPECT_NE(lessons[i].first, make_site(1, 200).value) << "200 was never interrupted";
  }
  EXPECT_TRUE(found);
}

}  // namespace
}  // namespace heddle
