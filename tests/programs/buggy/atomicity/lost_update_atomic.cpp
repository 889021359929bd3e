// WHAT    An atomic counter, increased by a load and a store: no data race, and an update lost all
//         the same.
// EXPECT  failure exit
// WITHIN  strategy portfolio runs 200 seed 1
// REPLAYS 20/20
// CLASS   atomicity
// MIN_PREEMPTIONS 1
// DECISIVE increase, increase
#include <atomic>
#include <cstdio>
#include <thread>

namespace {

std::atomic<int> counter{0};

void increase() { counter.store(counter.load() + 1); }

}  // namespace

int main() {
  std::thread first(increase), second(increase);
  first.join();
  second.join();
  if (counter == 2) return 0;
  std::fprintf(stderr, "counter is %d\n", counter.load());
  return 1;
}
