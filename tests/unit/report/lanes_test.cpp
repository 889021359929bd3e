#include "report/lanes.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "report/explain_text.h"

namespace heddle::reports {
namespace {

std::size_t columns(const std::string& text) {
  std::size_t count = 0;
  for (const char c : text) count += (c & 0xc0) != 0x80;
  return count;
}

LaneStep step(std::size_t lane, std::string text, std::uint64_t key = 0) {
  LaneStep step;
  step.lane = lane;
  step.text = std::move(text);
  step.key = key;
  return step;
}

Story story_with(std::size_t lanes) {
  Story story;
  for (std::size_t i = 0; i < lanes; ++i) {
    story.lanes.push_back(i == 0 ? "main" : "T" + std::to_string(i) + " worker_with_a_long_name");
    story.steps.push_back(step(i, "locks a_mutex_with_a_name [first, second]"));
    story.steps.back().where = "somewhere.cpp:1234";
  }
  return story;
}

TEST(Lanes, FitTheColumnsForTwoToEightThreads) {
  for (std::size_t lanes = 2; lanes <= 8; ++lanes) {
    for (const std::size_t width : {80u, 100u}) {
      for (const std::string& line : lane_lines(story_with(lanes), {width})) {
        EXPECT_LE(columns(line), width) << line;
      }
    }
  }
}

TEST(Lanes, KeepEveryThreadsNumberInTheHeading) {
  const std::string heading = lane_lines(story_with(8), {80}).front();
  for (int i = 1; i < 8; ++i) {
    EXPECT_NE(heading.find("T" + std::to_string(i)), std::string::npos) << heading;
  }
}

TEST(Lanes, LeaveOutThreadsOfWhichNothingIsTold) {
  Story story;
  for (int i = 0; i < 1024; ++i) story.lanes.push_back("T" + std::to_string(i));
  story.steps = {step(3, "locks a"), step(1000, "waits for a")};
  const std::vector<std::string> lines = lane_lines(story, {80});
  ASSERT_EQ(lines.size(), 3u);
  EXPECT_EQ(lines[0], "T3" + std::string(38, ' ') + "T1000");
  EXPECT_EQ(lines[2], "│" + std::string(39, ' ') + "waits for a");
}

TEST(Lanes, FoldALoopIntoItsLastRound) {
  Story story;
  story.lanes = {"main"};
  for (int round = 0; round < 100; ++round) {
    story.steps.push_back(step(0, "reads x: " + std::to_string(round), 1));
    story.steps.push_back(step(0, "x = " + std::to_string(round + 1), 2));
  }
  story.steps.push_back(step(0, "ends"));
  fold_loops(story);
  ASSERT_EQ(story.steps.size(), 4u);
  EXPECT_NE(story.steps[0].text.find("100 times"), std::string::npos);
  EXPECT_EQ(story.steps[2].text, "x = 100");
}

TEST(Lanes, DoNotFoldAcrossASwitch) {
  Story story;
  story.lanes = {"main", "T1"};
  for (int round = 0; round < 2; ++round) {
    story.steps.push_back(step(0, "a", 1));
    story.steps.push_back(step(0, "a", 1));
    story.steps.push_back(step(1, "b", 2));
  }
  fold_loops(story);
  EXPECT_EQ(story.steps.size(), 6u);
}

TEST(Lanes, KeepTheMarkOfADecisiveStepHoweverLongItsNameIs) {
  Story story;
  story.lanes = {"main", "T1"};
  story.steps.push_back(step(1, "reads " + std::string(200, 'x')));
  story.steps.back().style = StepStyle::decisive;
  const std::vector<std::string> lines = lane_lines(story, {60});
  EXPECT_TRUE(lines.back().ends_with("…  <==")) << lines.back();
}

TEST(Lanes, ShortenToWhatDecides) {
  Story story;
  story.lanes = {"main", "T1"};
  for (int i = 0; i < 200; ++i) story.steps.push_back(step(0, "step " + std::to_string(i)));
  story.steps[50].style = StepStyle::decisive;
  story.steps[120].style = StepStyle::decisive;
  shorten(story, 20);
  EXPECT_LE(story.steps.size(), 20u);
  const auto has = [&](const std::string& text) {
    return std::any_of(story.steps.begin(), story.steps.end(),
                       [&](const LaneStep& s) { return s.text == text; });
  };
  EXPECT_TRUE(has("step 50"));
  EXPECT_TRUE(has("step 120"));
  EXPECT_TRUE(has("step 199"));
}

TEST(ExplainText, WrapsAtTheColumns) {
  const auto lines = wrapped("one two three four five six seven", 12);
  for (const std::string& line : lines) EXPECT_LE(line.size(), 12u);
  EXPECT_GT(lines.size(), 2u);
}

}  // namespace
}  // namespace heddle::reports
