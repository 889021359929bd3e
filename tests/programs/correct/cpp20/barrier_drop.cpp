// WHAT    Threads leave a barrier one after the other.
// EXPECT  pass
// WITHIN  strategy every runs 40 seed 1
#include <atomic>
#include <barrier>
#include <cassert>
#include <thread>
#include <vector>

int main() {
  constexpr int kThreads = 3;
  std::barrier barrier(kThreads);
  std::atomic<int> passed{0};
  std::vector<std::jthread> threads;
  for (int i = 0; i < kThreads; i++) {
    threads.emplace_back([&, i] {
      for (int round = 0; round < i; round++) {
        barrier.arrive_and_wait();
        passed++;
      }
      barrier.arrive_and_drop();
    });
  }
  threads.clear();
  assert(passed == 0 + 1 + 2);
}
