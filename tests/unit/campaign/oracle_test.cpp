#include "campaign/oracle.h"

#include <gtest/gtest.h>

#include <fstream>

#include "campaign/describe.h"
#include "host/files.h"

namespace heddle::campaign {
namespace {

constexpr int exited(int status) { return status << 8; }

class OracleTest : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_TRUE(RunDirectory::create(directory, scratch->path().string(), 0, 1 << 20));
  }
  FailureKind judge() {
    const Result<Oracle> oracle = Oracle::create(options);
    return oracle->judge(record, directory).kind;
  }

  Result<TemporaryDirectory> scratch = TemporaryDirectory::create("heddle-test");
  RunDirectory directory;
  RunOptions options;
  RunRecord record;
};

TEST_F(OracleTest, LetsAnOrdinaryRunPass) { EXPECT_EQ(judge(), FailureKind::none); }

TEST_F(OracleTest, TellsSignalsFromExitStatuses) {
  record.wait_status = 11;
  EXPECT_EQ(judge(), FailureKind::crash);
  record.wait_status = exited(3);
  EXPECT_EQ(judge(), FailureKind::exit);
}

TEST_F(OracleTest, BelievesTheEngineBeforeTheExitStatus) {
  record.wait_status = exited(86);
  record.outcome.verdict = Verdict::deadlock;
  EXPECT_EQ(judge(), FailureKind::deadlock);
}

TEST_F(OracleTest, FindsAPatternInEitherStream) {
  options.fail_if = {"^ERROR [0-9]+$"};
  std::ofstream(directory.out().path()) << "fine\nERROR x\n";
  EXPECT_EQ(judge(), FailureKind::none);
  std::ofstream(directory.err().path()) << "fine\nERROR 12\n";
  EXPECT_EQ(judge(), FailureKind::output);
}

TEST_F(OracleTest, FindsAPatternAtTheEndOfOutputThatWasCut) {
  options.fail_if = {"^the end$"};
  OutputFile& out = directory.out();
  std::ofstream(out.path()) << "the beginning\n" << std::string(64 << 20, 'x') << "\nthe end\n";
  out.keep_within_cap();
  EXPECT_TRUE(out.was_cut());
  EXPECT_EQ(judge(), FailureKind::output);
}

TEST_F(OracleTest, SurvivesALineOfAMegabyte) {
  options.fail_if = {"(a|b)*z"};
  std::ofstream(directory.out().path()) << std::string(1 << 20, 'a');
  EXPECT_EQ(judge(), FailureKind::none);
}

TEST_F(OracleTest, RefusesWhatIsNoRegularExpression) {
  options.fail_if = {"("};
  const Result<Oracle> oracle = Oracle::create(options);
  ASSERT_FALSE(oracle);
  EXPECT_NE(oracle.error().sentence.find("regular expression"), std::string::npos);
}

TEST(FirstDifference, SaysWhereTwoTextsPart) {
  EXPECT_EQ(first_difference("a\nb\n", "a\nb\n"), "");
  EXPECT_EQ(first_difference("a\nb\n", "a\nc\n"), "line 2 is 'c', expected 'b'");
  EXPECT_EQ(first_difference("a\n", "a\nmore\n"),
            "line 2 has 'more', where nothing more was expected");
  EXPECT_EQ(first_difference("a\nb\n", "a\n"), "the output ends in line 2, where 'b' was expected");
}

TEST(Describe, GivesOneSignatureToADeadlockWhateverTheOrderOfItsThreads) {
  RunRecord one;
  one.outcome.verdict = Verdict::deadlock;
  one.outcome.blocked_count = 2;
  one.outcome.blocked[0] = {
      .thread = ThreadId{1}, .waiting_in = EventKind::mutex_lock, .site = make_site(0, 0x10)};
  one.outcome.blocked[1] = {
      .thread = ThreadId{2}, .waiting_in = EventKind::mutex_lock, .site = make_site(0, 0x20)};
  RunRecord other = one;
  std::swap(other.outcome.blocked[0].site, other.outcome.blocked[1].site);
  SiteNames names({});
  const Suspicion suspicion{FailureKind::deadlock, {}, {}};
  EXPECT_EQ(describe(one, {}, suspicion, names).signature,
            describe(other, {}, suspicion, names).signature);
}

}  // namespace
}  // namespace heddle::campaign
