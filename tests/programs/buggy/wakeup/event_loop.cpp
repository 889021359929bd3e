// WHAT    An event loop with a counter to wake it up. A flag says that a wake-up is on its way, so that one is enough; the loop takes
//         the flag back after it has emptied its queue, not before: what is posted in between is seen by nobody.
// EXPECT  failure deadlock sites Loop::run
// WITHIN  strategy random runs 300 seed 1
// REPLAYS 10/10
// CLASS   lost wake-up|atomicity|order violation
// MIN_PREEMPTIONS 2
// DECISIVE post, run|run, post
#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <atomic>
#include <cassert>
#include <cstdint>
#include <deque>
#include <mutex>
#include <thread>

class Loop {
 public:
  ~Loop() { close(counter_); }

  void post(int value) {
    {
      const std::lock_guard<std::mutex> guard(mutex_);
      queue_.push_back(value);
    }
    if (wake_pending_.exchange(true)) return;
    const std::uint64_t one = 1;
    assert(write(counter_, &one, sizeof one) == sizeof one);
  }

  int run(int wanted) {
    int sum = 0;
    while (wanted > 0) {
      pollfd entry{counter_, POLLIN, 0};
      poll(&entry, 1, -1);
      std::uint64_t count;
      if (read(counter_, &count, sizeof count) != sizeof count) continue;
      std::deque<int> taken;
      {
        const std::lock_guard<std::mutex> guard(mutex_);
        taken.swap(queue_);
      }
      for (const int value : taken) {
        sum += value;
        --wanted;
      }
      wake_pending_ = false;
    }
    return sum;
  }

 private:
  int counter_ = eventfd(0, EFD_NONBLOCK);
  std::mutex mutex_;
  std::deque<int> queue_;
  std::atomic<bool> wake_pending_{false};
};

int main() {
  Loop loop;
  int sum = 0;
  std::thread runner([&] { sum = loop.run(3); });
  for (int i = 1; i <= 3; ++i) loop.post(i);
  runner.join();
  assert(sum == 6);
}
