// A GoogleTest binary as people have them: fifty threaded tests, two of them wrong, death tests, and a fork.
// Not linked to anything of heddle's but through the wrapper.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <barrier>
#include <chrono>
#include <condition_variable>
#include <cstdlib>
#include <deque>
#include <future>
#include <latch>
#include <mutex>
#include <semaphore>
#include <shared_mutex>
#include <thread>
#include <vector>

namespace {

using namespace std::chrono_literals;

// Five numbers of threads for each of nine ways to work together: forty-five tests.
class Together : public testing::TestWithParam<int> {
 protected:
  template <class Work>
  void run(Work work) const {
    std::vector<std::jthread> threads;
    for (int i = 0; i < GetParam(); ++i) threads.emplace_back(work, i);
  }
};
INSTANTIATE_TEST_SUITE_P(Of, Together, testing::Range(1, 6));

TEST_P(Together, CountAtomically) {
  std::atomic<int> count{0};
  run([&](int) { ++count; });
  EXPECT_EQ(count, GetParam());
}

TEST_P(Together, CountUnderALock) {
  std::mutex lock;
  int count = 0;
  run([&](int) {
    std::lock_guard guard(lock);
    ++count;
  });
  EXPECT_EQ(count, GetParam());
}

TEST_P(Together, ReadWhileOneWrites) {
  std::shared_mutex lock;
  int value = 0;
  run([&](int i) {
    if (i == 0) {
      std::unique_lock guard(lock);
      value = 7;
    } else {
      std::shared_lock guard(lock);
      EXPECT_TRUE(value == 0 || value == 7);
    }
  });
  EXPECT_EQ(value, 7);
}

TEST_P(Together, MeetAtABarrier) {
  std::barrier meeting(GetParam());
  std::atomic<int> arrived{0};
  run([&](int) {
    ++arrived;
    meeting.arrive_and_wait();
    EXPECT_EQ(arrived, GetParam());
  });
}

TEST_P(Together, WaitForALatch) {
  std::latch all(GetParam());
  run([&](int) { all.count_down(); });
  EXPECT_TRUE(all.try_wait());
}

TEST_P(Together, ShareASemaphore) {
  std::counting_semaphore<2> room(2);
  std::atomic<int> inside{0};
  run([&](int) {
    room.acquire();
    EXPECT_LE(++inside, 2);
    --inside;
    room.release();
  });
}

TEST_P(Together, TakeFromAQueue) {
  std::mutex lock;
  std::condition_variable changed;
  std::deque<int> queue;
  int sum = 0;
  std::jthread maker([&] {
    for (int i = 1; i <= GetParam(); ++i) {
      std::lock_guard guard(lock);
      queue.push_back(i);
      changed.notify_one();
    }
  });
  run([&](int) {
    std::unique_lock guard(lock);
    changed.wait(guard, [&] { return !queue.empty(); });
    sum += queue.front();
    queue.pop_front();
  });
  EXPECT_EQ(sum, GetParam() * (GetParam() + 1) / 2);
}

TEST_P(Together, SleepWithoutTakingTime) {
  const auto begin = std::chrono::steady_clock::now();
  run([](int) { std::this_thread::sleep_for(1s); });
  EXPECT_GE(std::chrono::steady_clock::now() - begin, 1s);
}

TEST_P(Together, InitialiseOnce) {
  std::once_flag once;
  int made = 0;
  run([&](int) { std::call_once(once, [&] { ++made; }); });
  EXPECT_EQ(made, 1);
}

TEST(Future, Arrives) {
  EXPECT_EQ(std::async(std::launch::async, [] { return 4; }).get(), 4);
}

TEST(Future, CarriesAnException) {
  auto broken = std::async(std::launch::async, []() -> int { throw std::string("no"); });
  EXPECT_THROW(broken.get(), std::string);
}

TEST(Atomic, WaitsForAChange) {
  std::atomic<int> stage{0};
  std::jthread other([&] {
    stage = 1;
    stage.notify_one();
  });
  stage.wait(0);
  EXPECT_EQ(stage, 1);
}

// Wrong: a test that fails once in a while.
TEST(Wrong, LosesAnUpdate) {
  std::atomic<int> count{0};
  {
    std::jthread a([&] { count = count + 1; });
    std::jthread b([&] { count = count + 1; });
  }
  EXPECT_EQ(count, 2) << "an update was lost";
}

// Wrong: two locks in two orders.
TEST(Wrong, LocksInBothOrders) {
  std::mutex left, right;
  std::jthread a([&] {
    std::lock_guard first(left);
    std::lock_guard second(right);
  });
  std::jthread b([&] {
    std::lock_guard first(right);
    std::lock_guard second(left);
  });
}

TEST(DeathTest, SeesAnExit) { EXPECT_EXIT(std::exit(3), testing::ExitedWithCode(3), ""); }

TEST(DeathTest, SeesAnAbortInAThread) {
  EXPECT_DEATH(std::thread([] { std::abort(); }).join(), "");
}

TEST(Process, ForksWhileThreadsRun) {
  std::atomic<bool> go_on{true};
  std::jthread busy([&] {
    while (go_on) std::this_thread::yield();
  });
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) _exit(5);
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(WEXITSTATUS(status), 5);
  go_on = false;
}

}  // namespace
