// WHAT    Two threads replace the same shared_ptr without a lock: the old object is released twice.
// EXPECT  failure exit|crash
// WITHIN  strategy portfolio runs 1000 seed 1
// REPLAYS 10/10
// CLASS   data race
// MIN_PREEMPTIONS 1
// DECISIVE replace, replace
#include <atomic>
#include <cstdio>
#include <memory>
#include <thread>

namespace {

std::atomic<int> alive{0};

struct Version {
  Version() { alive++; }
  ~Version() { alive--; }
};

std::shared_ptr<Version> current = std::make_shared<Version>();

void replace() { current = std::make_shared<Version>(); }

}  // namespace

int main() {
  std::thread first(replace), second(replace);
  first.join();
  second.join();
  if (alive == 1) return 0;
  std::fprintf(stderr, "%d versions are alive, not 1\n", alive.load());
  std::_Exit(1);
}
