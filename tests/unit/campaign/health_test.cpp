#include "campaign/health.h"

#include <gtest/gtest.h>

namespace heddle::campaign {
namespace {

RunRecord run_with(std::uint32_t threads, std::uint64_t decisions) {
  RunRecord record;
  record.took_control = true;
  record.outcome.thread_count = threads;
  record.outcome.decision_count = decisions;
  record.outcome.verdict = Verdict::finished;
  record.threads.resize(threads);
  for (ThreadRecord& thread : record.threads) thread.points = 1;
  return record;
}

std::string said(const Health& health) {
  std::string all;
  for (const std::string& sentence : health.sentences(Program{})) all += sentence + "\n";
  return all;
}

TEST(Health, SaysThatNoTwoThreadsEverRanAtOnce) {
  Health health;
  for (int i = 0; i < 30; ++i) health.see(run_with(3, 0));
  EXPECT_NE(said(health).find("never can two threads run"), std::string::npos);
}

TEST(Health, IsSilentWhereThereWasAChoice) {
  Health health;
  for (int i = 0; i < 30; ++i) health.see(run_with(3, i == 7 ? 1 : 0));
  EXPECT_EQ(said(health), "");
}

TEST(Health, NeedsMoreThanAFewRuns) {
  Health health;
  for (int i = 0; i < 3; ++i) health.see(run_with(3, 0));
  EXPECT_EQ(said(health), "");
}

TEST(Health, SaysThatTheTestEndsBeforeItsWorkerStarts) {
  Health health;
  health.see(run_with(2, 1));
  RunRecord early = run_with(2, 1);
  early.threads[1].points = 0;
  health.see(early);
  EXPECT_NE(said(health).find("in 1 of 2 runs the test ends before a thread"), std::string::npos);
}

TEST(Health, LeavesThreadsThatALibraryMakesAlone) {
  Health health;
  RunRecord early = run_with(2, 1);
  early.threads[1].points = 0;
  early.threads[1].create_site = make_site(3, 0x10);
  health.see(early);
  EXPECT_EQ(said(health), "");
}

TEST(Health, KnowsThatEveryRunReplacedItsProgram) {
  Health health;
  RunRecord replaced = run_with(1, 0);
  replaced.outcome.became_another = 1;
  for (int i = 0; i < 30; ++i) health.see(replaced);
  EXPECT_TRUE(health.always_became_another());
  EXPECT_EQ(said(health), "");
  health.see(run_with(3, 1));
  EXPECT_FALSE(health.always_became_another());
}

TEST(Health, NamesASleepOnce) {
  Health health;
  RunRecord record = run_with(2, 1);
  record.outcome.sleeps[0].site = make_site(0, 0x10);
  health.see(record);
  health.see(record);
  const std::string text = said(health);
  EXPECT_NE(text.find("it sleeps while other threads run"), std::string::npos);
  EXPECT_EQ(text.find("0x10"), text.rfind("0x10"));
}

TEST(Health, SaysWhereTheThreadsAreIfTheyAreInChildren) {
  Health health;
  RunRecord record = run_with(1, 0);
  for (int i = 0; i < 29; ++i) health.see(record);
  record.outcome.threads_in_children = 1;
  health.see(record);
  EXPECT_NE(said(health).find("in 1 of 30 runs a child process has threads"), std::string::npos);
  EXPECT_EQ(said(health).find("never has a second thread"), std::string::npos);
}

}  // namespace
}  // namespace heddle::campaign
