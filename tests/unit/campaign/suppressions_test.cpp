#include "campaign/suppressions.h"

#include <gtest/gtest.h>

namespace heddle::campaign {
namespace {

bool suppressed(std::string_view text, FindingKind kind, std::vector<std::string> all,
                std::vector<std::string> innermost = {}) {
  const Result<Suppressions> parsed = Suppressions::parse(text, "file");
  EXPECT_TRUE(parsed);
  return parsed && parsed->match(kind, {std::move(all), std::move(innermost)});
}

TEST(Suppressions, APatternMatchesAnywhereUnlessItIsAnchored) {
  EXPECT_TRUE(matches_pattern("count", "my_counter"));
  EXPECT_TRUE(matches_pattern("^my", "my_counter"));
  EXPECT_FALSE(matches_pattern("^count", "my_counter"));
  EXPECT_TRUE(matches_pattern("counter$", "my_counter"));
  EXPECT_FALSE(matches_pattern("count$", "my_counter"));
  EXPECT_TRUE(matches_pattern("^my_counter$", "my_counter"));
  EXPECT_FALSE(matches_pattern("counter", ""));
}

TEST(Suppressions, AStarStandsForAnything) {
  EXPECT_TRUE(matches_pattern("my*ter", "my_counter"));
  EXPECT_TRUE(matches_pattern("^*ter$", "my_counter"));
  EXPECT_TRUE(matches_pattern("a*b*c", "xxaYYbZZcww"));
  EXPECT_FALSE(matches_pattern("a*b*c", "xxaYYcZZbww"));
  EXPECT_TRUE(matches_pattern("*", "anything"));
}

TEST(Suppressions, ATypeIsForItsOwnFindings) {
  const std::vector<std::string> names{"lib.so", "work", "work.cpp"};
  EXPECT_TRUE(suppressed("race:work", FindingKind::race, names));
  EXPECT_TRUE(suppressed("race:work", FindingKind::sleep_sync, names));
  EXPECT_FALSE(suppressed("race:work", FindingKind::lock_order, names));
  EXPECT_TRUE(suppressed("deadlock:work.cpp", FindingKind::lock_order, names));
  EXPECT_FALSE(suppressed("deadlock:work", FindingKind::misuse, names));
  EXPECT_TRUE(suppressed("mutex:work", FindingKind::misuse, names));
  EXPECT_TRUE(suppressed("thread:work", FindingKind::leak, names));
  EXPECT_FALSE(suppressed("thread:work", FindingKind::misuse, names));
  EXPECT_FALSE(suppressed("signal:work", FindingKind::race, names));
  for (const FindingKind kind : {FindingKind::race, FindingKind::lock_order, FindingKind::misuse}) {
    EXPECT_TRUE(suppressed("called_from_lib:lib.so", kind, names));
  }
}

TEST(Suppressions, RaceTopLooksAtTheInnermostFramesAlone) {
  const std::vector<std::string> all{"lib.so", "add", "add.h", "work", "work.cpp"};
  const std::vector<std::string> innermost{"lib.so", "add", "add.h"};
  EXPECT_TRUE(suppressed("race_top:^add$", FindingKind::race, all, innermost));
  EXPECT_FALSE(suppressed("race_top:^work$", FindingKind::race, all, innermost));
  EXPECT_TRUE(suppressed("race:^work$", FindingKind::race, all, innermost));
}

TEST(Suppressions, ARaceWithinAtomicSharedPtrIsTheLibrarysOwn) {
  const std::vector<std::string> qualified{"prog", "std::_Sp_atomic<X>::load", "a.h"};
  const std::vector<std::string> inlined{"prog", "load",
                                         "/usr/include/c++/12/bits/shared_ptr_atomic.h"};
  const std::vector<std::string> own{"prog", "load", "load.cpp"};
  EXPECT_TRUE(is_library_race(qualified, inlined));
  EXPECT_FALSE(is_library_race(inlined, own));
}

TEST(Suppressions, CommentsAndSpaceAreSkipped) {
  EXPECT_TRUE(suppressed("# why\n\n  race:work  \r\n", FindingKind::race, {"work"}));
  EXPECT_FALSE(suppressed("#race:work\n", FindingKind::race, {"work"}));
}

TEST(Suppressions, WhatIsNoneIsASentenceWithItsLine) {
  const Result<Suppressions> parsed = Suppressions::parse("race:a\nraces:b\n", "my.supp");
  ASSERT_FALSE(parsed);
  EXPECT_NE(parsed.error().sentence.find("my.supp:2"), std::string::npos);
  EXPECT_FALSE(Suppressions::parse("just words", "file"));
}

}  // namespace
}  // namespace heddle::campaign
