#include "campaign/schedule_file.h"

#include <gtest/gtest.h>

#include <cstring>

namespace heddle::campaign {
namespace {

Schedule sample() {
  Schedule schedule;
  schedule.tool_version = "9.9";
  schedule.program.executable = "/bin/true";
  schedule.program.arguments = {"true", "a b", "\"quoted\"", "\xff\xfe", "\xef\x9e\x80"};
  schedule.program.directory = "/";
  schedule.program.environment = {"A=1", "B=two words"};
  schedule.program.build_id = "abcd";
  schedule.timeout = std::chrono::seconds(3);
  schedule.campaign_seed = 7;
  schedule.input.plan.seed = 0xfedcba9876543210ULL;
  schedule.input.plan.run = 42;
  schedule.input.plan.engine = EngineKind::controlled;
  schedule.input.plan.level = Level::memory;
  schedule.input.plan.flags = kPlanStalls;
  schedule.input.plan.step_limit = 1000;
  schedule.input.plan.max_stall_ns = kUnlimited;
  std::strcpy(schedule.input.plan.strategy.name, "pct");
  schedule.input.plan.strategy.arguments[0] = 3;
  std::strcpy(schedule.input.plan.noise.placement, "random-all");
  std::strcpy(schedule.input.plan.noise.seeding.name, "sleep");
  schedule.input.plan.noise.seeding.strength = {1, 5};
  Decision decision{};
  decision.step = 12;
  decision.from_step = 4;
  decision.from = ThreadId{1};
  decision.to = ThreadId{2};
  decision.kind = DecisionKind::timeout;
  decision.reason = SwitchReason::preempted;
  decision.amount = 300;
  decision.candidates = 3;
  decision.site = make_site(2, 0x1234);
  schedule.input.replay = std::make_shared<const std::vector<Decision>>(1, decision);
  schedule.input.points = std::make_shared<const std::vector<ObjectId>>(1, ObjectId{~0ULL});
  schedule.input.lessons = std::make_shared<const std::vector<NoiseLesson>>(
      1, NoiseLesson{LessonKind::method_pair, ~0ULL, 17});
  schedule.judgement = {FailureKind::deadlock, "stuck", "deadlock | a"};
  schedule.event_hash = 99;
  return schedule;
}

TEST(ScheduleFile, ComesBackAsItWasWritten) {
  const Schedule written = sample();
  const Result<Schedule> read = parse_schedule(schedule_text(written), "x");
  ASSERT_TRUE(read) << read.error().sentence;
  EXPECT_EQ(read->program.arguments, written.program.arguments);
  EXPECT_EQ(read->program.environment, written.program.environment);
  EXPECT_EQ(read->timeout, written.timeout);
  EXPECT_EQ(read->input.plan.seed, written.input.plan.seed);
  EXPECT_EQ(read->input.plan.flags, written.input.plan.flags);
  EXPECT_EQ(read->input.plan.max_stall_ns, kUnlimited);
  EXPECT_STREQ(read->input.plan.strategy.name, "pct");
  EXPECT_EQ(read->input.plan.strategy.arguments[0], 3);
  EXPECT_STREQ(read->input.plan.noise.seeding.name, "sleep");
  ASSERT_EQ(read->input.replay->size(), 1u);
  EXPECT_EQ(std::memcmp(read->input.replay->data(), written.input.replay->data(), sizeof(Decision)),
            0);
  EXPECT_EQ(read->input.points->front().value, ~0ULL);
  ASSERT_EQ(read->input.lessons->size(), 1u);
  EXPECT_EQ(read->input.lessons->front().kind, LessonKind::method_pair);
  EXPECT_EQ(read->input.lessons->front().first, ~0ULL);
  EXPECT_EQ(read->input.lessons->front().second, 17u);
  EXPECT_EQ(read->judgement.signature, written.judgement.signature);
  // Writing what was read gives the same file.
  EXPECT_EQ(schedule_text(*read), schedule_text(written));
}

TEST(ScheduleFile, CutOffAnywhereIsASentenceAndNoCrash) {
  const std::string whole = schedule_text(sample());
  for (std::size_t length = 0; length + 2 < whole.size(); length += 37) {
    const Result<Schedule> read = parse_schedule(whole.substr(0, length), "x");
    ASSERT_FALSE(read) << length;
    EXPECT_EQ(read.error().exit_status, kExitBadUsage);
  }
}

TEST(ScheduleFile, OfANewerFormatIsRefusedPolitely) {
  std::string text = schedule_text(sample());
  text.replace(text.find("\"version\": 1"), 12, "\"version\": 9");
  const Result<Schedule> read = parse_schedule(text, "x");
  ASSERT_FALSE(read);
  EXPECT_NE(read.error().sentence.find("9.9"), std::string::npos);
}

TEST(ScheduleFile, WithAnUnknownNameSaysWhich) {
  std::string text = schedule_text(sample());
  text.replace(text.find("\"preempted\""), 11, "\"surprised\"");
  const Result<Schedule> read = parse_schedule(text, "x");
  ASSERT_FALSE(read);
  EXPECT_NE(read.error().sentence.find("surprised"), std::string::npos);
}

}  // namespace
}  // namespace heddle::campaign
