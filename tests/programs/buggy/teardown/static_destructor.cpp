// WHAT    A detached thread uses a static object after main() has returned and destroyed it.
// EXPECT  failure crash   sites Cache::lookup
// WITHIN  strategy portfolio runs 500 seed 1
// REPLAYS 20/20
// CLASS   teardown
// MIN_PREEMPTIONS 0
// DECISIVE Cache::lookup, Cache::~Cache
#include <atomic>
#include <cassert>
#include <chrono>
#include <thread>

namespace {

std::atomic<bool> destroyed{false};

class Cache {
 public:
  ~Cache() {
    destroyed = true;
    std::this_thread::sleep_for(std::chrono::milliseconds(5));  // writes itself to disk
  }
  int lookup() const {
    assert(!destroyed);
    return value_;
  }

 private:
  int value_ = 1;
};

Cache cache;

void look_twice() {
  cache.lookup();
  cache.lookup();
}

}  // namespace

int main() {
  std::thread(look_twice).detach();
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
}
