#include "campaign/baton.h"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>

namespace heddle::campaign {
namespace {

TEST(Baton, IsTakenByTheFirstAndPassedToWhoIsPrepared) {
  Baton<int> baton;
  int first = 1;
  int second = 2;
  EXPECT_TRUE(baton.take_or_queue(first));
  EXPECT_FALSE(baton.take_or_queue(second));
  EXPECT_EQ(baton.pass(), &second);
  EXPECT_FALSE(baton.take_or_queue(first));
  EXPECT_EQ(baton.pass(), &first);
}

TEST(Baton, IsFreeWhenNobodyIsPrepared) {
  Baton<int> baton;
  int one = 1;
  EXPECT_TRUE(baton.take_or_queue(one));
  EXPECT_EQ(baton.pass(), nullptr);
  EXPECT_TRUE(baton.take_or_queue(one));
}

TEST(Baton, IsWithOneOfTwoThreadsAtATime) {
  constexpr int kTurns = 10'000;
  struct Runner {
    std::atomic<bool> told{false};
  };
  Baton<Runner> baton;
  std::atomic<int> running{0};
  int turns = 0;  // unprotected: who has the baton is alone
  const auto take_turns = [&](Runner& runner) {
    for (int i = 0; i < kTurns; ++i) {
      if (!baton.take_or_queue(runner)) runner.told.wait(false);
      runner.told = false;
      EXPECT_EQ(running.fetch_add(1), 0);
      ++turns;
      running.fetch_sub(1);
      if (Runner* const next = baton.pass()) {
        next->told = true;
        next->told.notify_one();
      }
    }
  };
  Runner one;
  Runner other;
  std::thread beside([&] { take_turns(other); });
  take_turns(one);
  beside.join();
  EXPECT_EQ(turns, 2 * kTurns);
}

}  // namespace
}  // namespace heddle::campaign
