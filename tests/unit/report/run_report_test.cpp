#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "report/failure_text.h"
#include "report/json.h"
#include "report/run_summary.h"
#include "report/status_line.h"

namespace heddle::reports {
namespace {

campaign::Failure deadlock_with_much_to_say() {
  campaign::Failure failure;
  failure.id = "deadlock-00000001";
  failure.judgement = {campaign::FailureKind::deadlock, "deadlock", "deadlock | x"};
  failure.strategy = "pct:3";
  failure.first_run = 4;
  failure.count = 1;
  failure.replays = 10;
  failure.reproduced = "10/10";
  for (int i = 0; i < 500; ++i) {
    failure.capture.out.text += "line\n";
    failure.capture.err.text += "\x1b[31mred\n";
  }
  failure.record.outcome.blocked_count = 64;
  failure.record.outcome.uncontrolled_calls = 1;
  failure.record.outcome.stall_ns = 5;
  failure.record.stragglers = 2;
  return failure;
}

TEST(FailureText, IsNeverLongerThanAScreen) {
  const std::string text = failure_text(deadlock_with_much_to_say(), {"heddle", "out/failures/x"},
                                        Terminal(-1, Colour::never));
  EXPECT_LE(std::ranges::count(text, '\n'), static_cast<long>(kMostFailureLines));
  EXPECT_NE(text.find("heddle replay out/failures/x\n"), std::string::npos);
  EXPECT_NE(text.find("reproduced 10/10"), std::string::npos);
}

TEST(FailureText, LetsNoEscapeCodeOfTheProgramThrough) {
  const std::string text =
      failure_text(deadlock_with_much_to_say(), {}, Terminal(-1, Colour::never));
  EXPECT_EQ(text.find('\x1b'), std::string::npos);
}

TEST(RunJson, HasEveryMemberThatIsPromised) {
  campaign::CampaignResult result;
  result.failures.push_back(deadlock_with_much_to_say());
  campaign::Program program;
  program.arguments = {"./prog"};
  const auto json = nlohmann::json::parse(run_json(result, program, RunOptions{}));
  for (const char* name : {"version", "program", "seed", "engine", "strategy", "runs", "seconds",
                           "distinct_schedules", "control_percent", "stopped_by", "failures"}) {
    EXPECT_TRUE(json.contains(name)) << name;
  }
  for (const char* name : {"id", "kind", "message", "first_run", "count", "finding", "detector",
                           "strategy", "signature", "reproduced", "preemptions_before",
                           "preemptions_after", "switches_before", "switches_after", "directory"}) {
    EXPECT_TRUE(json["failures"][0].contains(name)) << name;
  }
}

TEST(ExitStatus, IsThatOfTheContract) {
  RunOptions options;
  campaign::CampaignResult result;
  result.took_control = true;
  result.totals.runs = 1;
  EXPECT_EQ(run_exit_status(result, options), kExitNothingFound);
  result.stopped_by = campaign::StoppedBy::interrupted;
  EXPECT_EQ(run_exit_status(result, options), kExitInconclusive);
  result.failures.emplace_back();
  EXPECT_EQ(run_exit_status(result, options), kExitFailureFound);
  campaign::CampaignResult uncontrolled;
  uncontrolled.totals.runs = 1;
  EXPECT_EQ(run_exit_status(uncontrolled, options), kExitInconclusive);
  options.engine = EngineKind::free;
  EXPECT_EQ(run_exit_status(uncontrolled, options), kExitNothingFound);
}

TEST(Percent, IsNeverRoundedUpToAll) {
  EXPECT_EQ(percent(100.0), "100%");
  EXPECT_EQ(percent(99.99), "99.9%");
}

TEST(Counted, KnowsItsPlurals) {
  EXPECT_EQ(counted(1, "run"), "1 run");
  EXPECT_EQ(counted(2, "switch"), "2 switches");
}

TEST(RunSummary, CountsNoSchedulesWhereASavedCaseEndedIt) {
  campaign::CampaignResult result;
  result.stopped_by = campaign::StoppedBy::failure;
  result.failures.emplace_back();
  EXPECT_TRUE(run_summary(result, {}).starts_with("no new runs; stopped at the first failure\n"));
}

TEST(RunSummary, SaysWhatALowFidelityMeans) {
  campaign::CampaignResult result;
  result.totals.checks = 10;
  result.totals.checks_same = 10;
  EXPECT_EQ(run_summary(result, {}).find("came out the same"), std::string::npos);
  result.totals.checks_same = 7;
  EXPECT_NE(run_summary(result, {}).find("7 of 10 runs made again came out the same"),
            std::string::npos);
}

}  // namespace
}  // namespace heddle::reports
