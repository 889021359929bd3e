#include "campaign/strategy_text.h"

#include <gtest/gtest.h>

namespace heddle {
namespace {

TEST(StrategyText, ANameAloneHasItsUsualArgument) {
  const auto settings = parse_strategy("pct");
  ASSERT_TRUE(settings.ok()) << settings.error().sentence;
  EXPECT_STREQ(settings->name, "pct");
  EXPECT_EQ(settings->arguments[0], parse_strategy("pct:3")->arguments[0]);
}

TEST(StrategyText, WhatFollowsTheColonIsTheArgument) {
  EXPECT_EQ(parse_strategy("pct:5")->arguments[0], 5);
}

TEST(StrategyText, AWrongNameIsAnsweredWithTheOneThatWasMeant) {
  const auto settings = parse_strategy("pctt:3");
  ASSERT_FALSE(settings.ok());
  EXPECT_NE(settings.error().sentence.find("'pct'"), std::string::npos)
      << settings.error().sentence;
}

TEST(StrategyText, AnArgumentIsRefusedWhereThereIsNone) {
  const auto settings = parse_strategy("pos:3");
  ASSERT_FALSE(settings.ok());
  EXPECT_NE(settings.error().sentence.find("takes no argument"), std::string::npos);
}

TEST(StrategyText, AnArgumentIsAWholeNumberWithinItsBounds) {
  for (const char* text : {"pct:", "pct:x", "pct:3x", "pct:-1", "pct:99999999999999999999"}) {
    const auto settings = parse_strategy(text);
    ASSERT_FALSE(settings.ok()) << text;
    EXPECT_NE(settings.error().sentence.find("is a number from"), std::string::npos) << text;
  }
}

}  // namespace
}  // namespace heddle
