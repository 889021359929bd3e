#include "campaign/finding_tally.h"

#include <gtest/gtest.h>

#include "campaign/site_names.h"

namespace heddle::campaign {
namespace {

class FindingTallyTest : public testing::Test {
 protected:
  static RunRecord run_with(FindingKind kind, std::uint64_t site = 7) {
    RunRecord record;
    Finding finding{};
    finding.kind = kind;
    finding.second_site = make_site(0, site);
    record.findings.push_back(finding);
    return record;
  }
  void pass(unsigned times, const RunRecord& record = {}) {
    for (unsigned i = 0; i < times; ++i) {
      tally.see(record, oracle, FindingTally::Run::of_campaign, FailureKind::none);
    }
  }
  void crash(const RunRecord& record, FindingTally::Run run = FindingTally::Run::of_campaign) {
    tally.see(record, oracle, run, FailureKind::crash);
  }

  Oracle oracle = *Oracle::create(RunOptions{});
  FindingTally tally;
};

TEST_F(FindingTallyTest, ARaceIsAFindingAtOnce) {
  pass(1, run_with(FindingKind::race));
  ASSERT_EQ(tally.counts().size(), 1u);
  EXPECT_FALSE(tally.counts()[0].hint);
}

TEST_F(FindingTallyTest, ARaceIsPredictedUntilItsAccessesStandSideBySide) {
  RunRecord record = run_with(FindingKind::race);
  record.findings[0].first_site = make_site(0, 9);
  pass(1, record);
  EXPECT_EQ(certainty(tally.counts()[0]), "predicted");
  record.outcome.met[0] = make_site(0, 7);
  record.outcome.met[1] = make_site(0, 8);  // another pair
  pass(1, record);
  EXPECT_EQ(certainty(tally.counts()[0]), "predicted");
  record.outcome.met[1] = make_site(0, 9);
  record.input.plan.run = 5;
  pass(1, record);
  EXPECT_EQ(certainty(tally.counts()[0]), "confirmed");
  EXPECT_EQ(tally.counts()[0].confirmed_run, 5u);
}

TEST_F(FindingTallyTest, ALockOrderIsConfirmedByADeadlockThereBeforeOrAfter) {
  RunRecord record = run_with(FindingKind::lock_order);
  record.findings[0].first_site = make_site(0, 9);
  SiteNames sites(record.modules);
  const std::set<std::string> places = {sites.name(make_site(0, 7)), sites.name(make_site(0, 9)),
                                        sites.name(make_site(0, 1))};
  tally.see_deadlock(2, {sites.name(make_site(0, 7))});
  pass(1, record);
  EXPECT_EQ(certainty(tally.counts()[0]), "predicted");
  tally.see_deadlock(3, places);
  EXPECT_EQ(tally.counts()[0].confirmed_run, 3u);
  FindingTally later;
  later.see_deadlock(4, places);
  later.see(record, oracle, FindingTally::Run::of_campaign, FailureKind::none);
  EXPECT_EQ(later.counts()[0].confirmed_run, 4u);
}

TEST_F(FindingTallyTest, OtherKindsAreNeitherPredictedNorConfirmed) {
  pass(1, run_with(FindingKind::misuse));
  EXPECT_EQ(certainty(tally.counts()[0]), "");
}

TEST_F(FindingTallyTest, AtomicityIsAHintWhereEverythingPasses) {
  pass(100, run_with(FindingKind::atomicity));
  ASSERT_EQ(tally.counts().size(), 1u);
  EXPECT_TRUE(tally.counts()[0].hint);
  EXPECT_EQ(tally.counts()[0].count, 100u);
}

TEST_F(FindingTallyTest, AtomicityThatOnlyFailingRunsShowIsAFinding) {
  pass(FindingTally::kManyPassing);
  crash(run_with(FindingKind::atomicity));
  EXPECT_FALSE(tally.counts()[0].hint);
}

TEST_F(FindingTallyTest, AFewPassingRunsSayNothing) {
  pass(FindingTally::kManyPassing - 1);
  crash(run_with(FindingKind::atomicity));
  EXPECT_TRUE(tally.counts()[0].hint);
}

TEST_F(FindingTallyTest, OnePassingRunWithItIsEnoughToDoubt) {
  pass(FindingTally::kManyPassing);
  crash(run_with(FindingKind::atomicity));
  pass(1, run_with(FindingKind::atomicity));
  EXPECT_TRUE(tally.counts()[0].hint);
}

TEST_F(FindingTallyTest, NeighboursSpeakForOrAgainstWhatIsKnownAndAddNothing) {
  crash(run_with(FindingKind::atomicity));
  for (unsigned i = 0; i < FindingTally::kManyPassing; ++i) {
    tally.see(run_with(FindingKind::atomicity, 8), oracle, FindingTally::Run::neighbour,
              FailureKind::none);
  }
  ASSERT_EQ(tally.counts().size(), 1u);
  EXPECT_FALSE(tally.counts()[0].hint);
  EXPECT_EQ(tally.counts()[0].count, 1u);
}

TEST_F(FindingTallyTest, ComesBackFromTheStore) {
  pass(FindingTally::kManyPassing);
  crash(run_with(FindingKind::atomicity));
  FindingTally again;
  again.restore(tally.rows(), FindingTally::kManyPassing);
  ASSERT_EQ(again.counts().size(), 1u);
  EXPECT_FALSE(again.counts()[0].hint);
  EXPECT_EQ(again.counts()[0].judgement.signature, tally.counts()[0].judgement.signature);
}

}  // namespace
}  // namespace heddle::campaign
