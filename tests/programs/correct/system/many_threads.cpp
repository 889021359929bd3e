// WHAT    Two hundred threads at once.
// EXPECT  pass
// WITHIN  strategy every runs 5 seed 1
#include <atomic>
#include <cassert>
#include <mutex>
#include <thread>
#include <vector>

int main() {
  constexpr int kThreads = 200;
  std::mutex mutex;
  std::atomic<int> started{0};
  int sum = 0;
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; i++) {
    threads.emplace_back([&, i] {
      started++;
      std::lock_guard guard(mutex);
      sum += i;
    });
  }
  for (auto& thread : threads) thread.join();
  assert(started == kThreads && sum == kThreads * (kThreads - 1) / 2);
}
