#include <gtest/gtest.h>

#include <vector>

#include "scripted.h"

namespace heddle {
namespace {

using namespace scripted;

TEST(SharedVarAll, DisturbsAVariableFromTheMomentASecondThreadTouchesIt) {
  EXPECT_EQ(Stage(everywhere("sharedVar-all"))
                .play({
                    write(1, 8), read(1, 8), write(1, 8),  // private so far
                    read(2, 8),                            // shared now
                    write(1, 8), read(2, 8),               // and for good
                    write(1, 16), read(2, 24)              // others are still private
                }),
            "...!!!..");
}

TEST(SharedVarAll, LeavesSynchronisationAlone) {
  EXPECT_EQ(Stage(everywhere("sharedVar-all"))
                .play({lock(1, 8), unlock(1, 8), lock(2, 8), unlock(2, 8), lock(1, 8)}),
            ".....");
}

TEST(SharedVarAll, TakesThePartsOfAWordForOneVariable) {
  EXPECT_EQ(Stage(everywhere("sharedVar-all")).play({write(1, 8), write(2, 12)}), ".!");
}

TEST(SharedVarAll, CountsAtomicsAsVariables) {
  EXPECT_EQ(Stage(everywhere("sharedVar-all"))
                .play({event(1, EventKind::atomic_store, 8), event(2, EventKind::atomic_load, 8)}),
            ".!");
}

TEST(SharedVarAll, DisturbsAfterTheAccessWhenAsked) {
  NoiseSettings settings = everywhere("sharedVar-all");
  settings.when = NoiseWhen::after;
  EXPECT_EQ(Stage(settings).play({write(1, 8), after(write(1, 8)), read(2, 8), after(read(2, 8))}),
            "...!");
}

TEST(SharedVarAll, MayBeToldWhatEarlierRunsFoundAndTellsWhatThisOneDid) {
  Stage first(everywhere("sharedVar-all"));
  first.play({write(1, 8), read(2, 8), write(1, 16)});
  NoiseLesson lessons[4] = {};
  ASSERT_EQ(first.mixer().teach(lessons), 1u);
  EXPECT_EQ(lessons[0].kind, LessonKind::shared);
  EXPECT_EQ(lessons[0].first, read(1, 8).object.value);
  Stage second(everywhere("sharedVar-all"));
  EXPECT_FALSE(second.disturbs(write(1, 8))) << "a new run starts from nothing";
  Stage third(everywhere("sharedVar-all"));
  third.mixer().learn({lessons, 1});
  EXPECT_EQ(third.play({write(1, 8), write(1, 16)}), "!.");
}

TEST(SharedVarAll, AsksToSeeEveryEvent) {
  Stage stage(everywhere("sharedVar-all"));
  EXPECT_TRUE(stage.mixer().looks_at_all());
  EXPECT_TRUE(stage.mixer().looks_at(EventPhase::after));
  EXPECT_EQ(stage.mixer().gap(stage.noise(1), stage.prng(1)), 0u);
}

// Which of the variables 0, 8, 16… is disturbed, after all were shared.
std::vector<std::uint64_t> chosen(std::uint64_t seed, std::uint64_t variables, bool backwards) {
  Stage stage(everywhere("sharedVar-one"), seed);
  for (std::uint64_t i = 0; i < variables; ++i) {
    const std::uint64_t object = 8 * (backwards ? variables - 1 - i : i);
    stage.play({write(1, object), write(2, object)});
  }
  std::vector<std::uint64_t> result;
  for (std::uint64_t i = 0; i < variables; ++i) {
    if (stage.disturbs(read(3, 8 * i))) result.push_back(i);
  }
  return result;
}

TEST(SharedVarOne, DisturbsOneSharedVariableWhichTheSeedDraws) {
  int picked[5] = {};
  for (std::uint64_t seed = 0; seed < 1000; ++seed) {
    const auto result = chosen(seed, 5, false);
    ASSERT_EQ(result.size(), 1u);
    ++picked[result[0]];
  }
  for (const int count : picked) EXPECT_NEAR(count, 200, 80);
}

TEST(SharedVarOne, ChoosesTheSameWhateverTheOrderOfDiscovery) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    EXPECT_EQ(chosen(seed, 5, false), chosen(seed, 5, true)) << "seed " << seed;
  }
}

TEST(SharedVarOne, NeverChoosesAPrivateVariable) {
  Stage stage(everywhere("sharedVar-one"));
  EXPECT_EQ(stage.play({write(1, 8), write(1, 16), write(1, 8), read(1, 16)}), "....");
}

}  // namespace
}  // namespace heddle
