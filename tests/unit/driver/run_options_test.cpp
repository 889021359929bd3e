#include "driver/run_options.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "detect/catalog.h"

namespace heddle {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;

Result<RunOptions> read(std::vector<std::string> arguments) {
  CommandApp command("run", "");
  RunOptionTexts texts;
  add_run_options(command, texts);
  if (const std::optional<int> end = parse(command, arguments)) {
    return Error{"reported", *end};
  }
  return check_run_options(command, texts);
}

std::string sentence(std::vector<std::string> arguments) {
  arguments.insert(arguments.end(), {"--", "./prog"});
  const Result<RunOptions> options = read(std::move(arguments));
  return options.ok() ? "accepted" : options.error().sentence;
}

TEST(RunOptions, HaveTheDefaultsOfTheManual) {
  const Result<RunOptions> options = read({"--", "./prog", "--runs", "3"});
  ASSERT_TRUE(options.ok());
  EXPECT_EQ(options->program, (std::vector<std::string>{"./prog", "--runs", "3"}));
  EXPECT_EQ(options->engine, EngineKind::controlled);
  EXPECT_STREQ(options->strategy.name, "portfolio");
  EXPECT_EQ(options->out, "heddle-out");
  EXPECT_EQ(options->max_stall_ns, 1'000'000'000u);
  EXPECT_FALSE(options->run_budget.has_value());
  EXPECT_FALSE(options->time_budget.has_value());
}

TEST(RunOptions, AreAllRead) {
  const Result<RunOptions> options =
      read({"--for",       "2m",         "--runs=50", "--timeout",     "500ms",     "--engine",
            "free",        "--strategy", "pct:4",     "--level",       "sync",      "--seed",
            "0x10",        "--jobs",     "2",         "--keep-going",  "--out",     "there",
            "--json",      "j",          "--fail-if", "a,b",           "--fail-if", "c",
            "--max-stall", "inf",        "--quiet",   "--no-minimize", "--",        "./prog"});
  ASSERT_TRUE(options.ok()) << options.error().sentence;
  EXPECT_EQ(options->time_budget, 2min);
  EXPECT_EQ(options->run_budget, 50u);
  EXPECT_EQ(options->timeout, 500ms);
  EXPECT_EQ(options->engine, EngineKind::free);
  EXPECT_STREQ(options->strategy.name, "pct");
  EXPECT_EQ(options->strategy.arguments[0], 4);
  EXPECT_EQ(options->level, Level::sync);
  EXPECT_EQ(options->seed, 16u);
  EXPECT_EQ(options->jobs, 2u);
  EXPECT_TRUE(options->keep_going);
  EXPECT_EQ(options->fail_if, (std::vector<std::string>{"a,b", "c"}));
  EXPECT_EQ(options->max_stall_ns, kUnlimited);
  EXPECT_TRUE(options->quiet);
  EXPECT_FALSE(options->minimize);
}

TEST(RunOptions, AreOfferedForWhatOtherToolsCallThem) {
  testing::internal::CaptureStderr();
  EXPECT_FALSE(read({"--duration", "5s", "--", "./prog"}).ok());
  EXPECT_THAT(testing::internal::GetCapturedStderr(), HasSubstr("did you mean '--for'?"));
}

TEST(RunOptions, MistakesAreSentencesThatNameTheOption) {
  EXPECT_THAT(sentence({"--runs", "0"}), HasSubstr("--runs: '0' is not a whole number"));
  EXPECT_THAT(sentence({"--runs", "-3"}), HasSubstr("--runs"));
  EXPECT_THAT(sentence({"--for", "soon"}), HasSubstr("--for: 'soon' is not a duration"));
  EXPECT_THAT(sentence({"--for", "0"}), HasSubstr("leaves no room"));
  EXPECT_THAT(sentence({"--engine", "fre"}), HasSubstr("Did you mean 'free'?"));
  EXPECT_THAT(sentence({"--strategy", "radnom"}), HasSubstr("Did you mean 'random'?"));
  EXPECT_THAT(sentence({"--strategy", "pct:many"}), HasSubstr("'many' does not fit"));
  EXPECT_THAT(sentence({"--strategy", "portfolio:1"}), HasSubstr("takes no argument"));
  EXPECT_THAT(sentence({"--fail-if", "("}), HasSubstr("not an extended regular expression"));
  EXPECT_THAT(sentence({"--expect-output", "/nonexistent"}), HasSubstr("no file"));
  EXPECT_THAT(sentence({"--fail-on", "raze"}), HasSubstr("Did you mean 'race'?"));
  EXPECT_THAT(sentence({"--max-stall", "long"}), HasSubstr("0 or inf"));
  EXPECT_THAT(sentence({"--engine", "free", "--spurious"}),
              HasSubstr("only the controlled engine"));
  EXPECT_THAT(sentence({"--engine", "free", "--confirm"}), HasSubstr("only the controlled engine"));
}

TEST(RunOptions, NoiseIsReadAndCheckedAgainstTheCatalogue) {
  const Result<RunOptions> options = read(
      {"--noise", "placement=random-all,seeding=sleep,frequency=150,strength=20", "--", "./prog"});
  ASSERT_TRUE(options.ok()) << options.error().sentence;
  EXPECT_EQ(options->noise->settings.frequency, 150u);
  EXPECT_THAT(sentence({"--noise", "placement=random-all,seeding=sleep,frequency=5000"}),
              HasSubstr("--noise"));
  EXPECT_THAT(sentence({"--noise", "placement=random-al,seeding=sleep"}), HasSubstr("random-all"));
}

TEST(RunOptions, AMissingProgramIsBadUsage) {
  EXPECT_EQ(read({}).error().exit_status, kExitBadUsage);
  EXPECT_EQ(read({"--"}).error().exit_status, kExitBadUsage);
  EXPECT_EQ(read({"./prog"}).error().exit_status, kExitBadUsage);
}

TEST(RunOptions, AnUnknownOptionIsBadUsage) {
  EXPECT_EQ(read({"--rnus", "3", "--", "./prog"}).error().exit_status, kExitBadUsage);
  EXPECT_EQ(read({"--runs", "--", "./prog"}).error().exit_status, kExitBadUsage);
  EXPECT_EQ(read({"--runs", "", "--", "./prog"}).error().exit_status, kExitBadUsage);
}

TEST(RunOptions, DetectAllMeansEveryDetectorOfTheCatalogue) {
  const Result<RunOptions> options = read({"--detect", "all", "--", "./prog"});
  ASSERT_TRUE(options.ok()) << options.error().sentence;
  ASSERT_EQ(options->detectors.size(), detector_catalog().size());
  for (std::size_t i = 0; i < detector_catalog().size(); ++i) {
    EXPECT_EQ(options->detectors[i], detector_catalog()[i].name);
  }
  EXPECT_THAT(sentence({"--detect", "all,goodlock"}), HasSubstr("no detector 'all'"));
  EXPECT_THAT(sentence({"--detect", "all", "--level", "sync"}), HasSubstr("needs --level memory"));
}

TEST(RunOptions, RefuseTooLittleMemoryWithASentence) {
  EXPECT_EQ(sentence({"--memory", "4M"}), "accepted");
  EXPECT_THAT(sentence({"--memory", "4095K"}), HasSubstr("give 4M at least"));
  EXPECT_THAT(sentence({"--memory", "much"}), HasSubstr("not an amount of memory"));
}

}  // namespace
}  // namespace heddle
