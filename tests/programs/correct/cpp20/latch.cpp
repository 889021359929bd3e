// WHAT    Nobody passes a latch before all have arrived.
// EXPECT  pass
// WITHIN  strategy every runs 40 seed 1
#include <atomic>
#include <cassert>
#include <latch>
#include <thread>
#include <vector>

int main() {
  constexpr int kThreads = 3;
  std::latch start(1), ready(kThreads), done(kThreads);
  std::atomic<int> arrived{0};
  std::vector<std::jthread> threads;
  for (int i = 0; i < kThreads; i++) {
    threads.emplace_back([&] {
      start.wait();
      arrived++;
      ready.arrive_and_wait();
      assert(arrived == kThreads);
      done.count_down();
    });
  }
  assert(arrived == 0);
  start.count_down();
  done.wait();
  assert(done.try_wait());
}
