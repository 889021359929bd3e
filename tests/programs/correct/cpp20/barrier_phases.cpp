// WHAT    A barrier with a completion step keeps three threads in the same phase.
// EXPECT  pass
// WITHIN  strategy every runs 40 seed 1
#include <barrier>
#include <cassert>
#include <thread>
#include <vector>

int main() {
  constexpr int kThreads = 3, kPhases = 4;
  int phase = 0;  // written by the completion step only
  std::barrier barrier(kThreads, [&phase]() noexcept { phase++; });
  std::vector<std::jthread> threads;
  for (int i = 0; i < kThreads; i++) {
    threads.emplace_back([&] {
      for (int expected = 0; expected < kPhases; expected++) {
        assert(phase == expected);
        barrier.arrive_and_wait();
      }
    });
  }
  threads.clear();
  assert(phase == kPhases);
}
