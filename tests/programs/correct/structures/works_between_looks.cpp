// WHAT    Threads that work for long between looks at a flag that nobody changes: by what they count in registers, and in memory of their
//         own. Others wait meanwhile with a deadline that is far away, or look at the clock.
// EXPECT  pass
// WITHIN  strategy every runs 10 seed 1
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdlib>
#include <mutex>
#include <thread>

namespace {

using Clock = std::chrono::steady_clock;

constexpr int kRounds = 3000;

std::atomic<bool> stop{false};
std::atomic<int> key{7};
std::mutex lock;
std::condition_variable done;
bool is_done = false;

long sum_of(const int* values, int count) {
  long sum = 0;
  for (int i = 0; i < count && !stop.load(); ++i) sum += values[i];
  return sum;
}

void tell_when_done() {
  int own[kRounds];
  for (int i = 0; i < kRounds; ++i) own[i] = i;
  const long sum = sum_of(own, kRounds);
  if (sum != static_cast<long>(kRounds) * (kRounds - 1) / 2) std::abort();
  const std::lock_guard<std::mutex> guard(lock);
  is_done = true;
  done.notify_one();
}

void wait_for_an_hour() {
  std::thread worker(tell_when_done);
  {
    std::unique_lock<std::mutex> guard(lock);
    if (!done.wait_for(guard, std::chrono::hours(1), [] { return is_done; })) std::abort();
  }
  worker.join();
}

void look_at_the_clock() {
  std::atomic<bool> found{false};
  std::thread searcher([&] {
    int count = 0;
    for (int i = 0; i < kRounds; ++i) {
      if (key.load() == i) ++count;
    }
    found = count == 1;
  });
  const auto deadline = Clock::now() + std::chrono::seconds(5);
  while (!found.load()) {
    if (Clock::now() > deadline) std::abort();
    std::this_thread::yield();
  }
  searcher.join();
}

}  // namespace

int main() {
  wait_for_an_hour();
  look_at_the_clock();
}
