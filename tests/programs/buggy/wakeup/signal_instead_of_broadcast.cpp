// WHAT    Producers and consumers of a one-slot buffer wait on the same condition; notify_one may
//         wake one of the wrong sort, which goes back to sleep with the wake-up.
// EXPECT  failure deadlock   sites Slot::put, Slot::take
// WITHIN  strategy portfolio runs 2000 seed 1
// REPLAYS 20/20
// CLASS   lost wake-up
// MIN_PREEMPTIONS 0
// DECISIVE put, take|take, take
#include <condition_variable>
#include <mutex>
#include <thread>
#include <vector>

namespace {

class Slot {
 public:
  void put(int value) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return !full_; });
    value_ = value;
    full_ = true;
    changed_.notify_one();
  }
  int take() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return full_; });
    full_ = false;
    changed_.notify_one();
    return value_;
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  bool full_ = false;
  int value_ = 0;
};

}  // namespace

int main() {
  Slot slot;
  std::vector<std::thread> threads;
  for (int i = 0; i < 2; i++) threads.emplace_back([&] { slot.take(); });
  for (int i = 0; i < 2; i++) threads.emplace_back([&] { slot.put(1); });
  for (auto& thread : threads) thread.join();
}
