// WHAT    A GoogleTest binary with threaded tests, a failing expectation caught, and a death test.
// EXPECT  pass
// WITHIN  strategy every runs 10 seed 1
// LINK    -lgtest -lgtest_main
#include <gtest/gtest.h>

#include <atomic>
#include <condition_variable>
#include <cstdlib>
#include <future>
#include <mutex>
#include <thread>
#include <vector>

TEST(Threads, CountTogether) {
  std::atomic<int> counter{0};
  std::vector<std::thread> threads;
  for (int i = 0; i < 3; i++) threads.emplace_back([&] { counter++; });
  for (auto& thread : threads) thread.join();
  EXPECT_EQ(counter, 3);
}

TEST(Threads, MayExpectFromAnyThread) {
  std::thread([] { EXPECT_TRUE(true); }).join();
}

TEST(Condition, HandsOver) {
  std::mutex mutex;
  std::condition_variable changed;
  bool ready = false;
  std::thread maker([&] {
    std::lock_guard guard(mutex);
    ready = true;
    changed.notify_one();
  });
  std::unique_lock lock(mutex);
  changed.wait(lock, [&] { return ready; });
  lock.unlock();
  maker.join();
  EXPECT_TRUE(ready);
}

TEST(Future, Arrives) {
  EXPECT_EQ(std::async(std::launch::async, [] { return 4; }).get(), 4);
}

class Counted : public testing::TestWithParam<int> {};

TEST_P(Counted, JoinsThatMany) {
  std::atomic<int> ran{0};
  std::vector<std::jthread> threads;
  for (int i = 0; i < GetParam(); i++) threads.emplace_back([&] { ran++; });
  threads.clear();
  EXPECT_EQ(ran, GetParam());
}

INSTANTIATE_TEST_SUITE_P(Few, Counted, testing::Values(1, 2, 4));

TEST(DeathTest, SeesAnExit) { EXPECT_EXIT(std::exit(3), testing::ExitedWithCode(3), ""); }

TEST(DeathTest, SeesAnAbortInAThread) {
  EXPECT_DEATH(std::thread([] { std::abort(); }).join(), "");
}
