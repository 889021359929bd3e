// WHAT    thread_local objects are made per thread and destroyed before the join returns.
// EXPECT  pass
// WITHIN  strategy every runs 40 seed 1
#include <atomic>
#include <cassert>
#include <thread>
#include <vector>

namespace {

std::atomic<int> made{0}, destroyed{0};

struct PerThread {
  PerThread() { made++; }
  ~PerThread() { destroyed++; }
  int uses = 0;
};

thread_local PerThread mine;
thread_local int plain = 3;

}  // namespace

int main() {
  {
    std::vector<std::jthread> threads;
    for (int i = 0; i < 3; i++) {
      threads.emplace_back([] {
        assert(++mine.uses == 1 && ++plain == 4);
        std::this_thread::yield();
        assert(++mine.uses == 2 && ++plain == 5);
      });
    }
  }
  assert(made == 3 && destroyed == 3 && plain == 3);
}
