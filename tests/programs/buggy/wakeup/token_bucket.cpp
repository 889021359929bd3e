// WHAT    A token bucket is refilled with two tokens but wakes one waiter only; if both workers
//         were already waiting, the second sleeps on although there is a token for it.
// EXPECT  failure deadlock   sites take
// WITHIN  strategy portfolio runs 1000 seed 1
// REPLAYS 20/20
// CLASS   lost wake-up
// MIN_PREEMPTIONS 0
// DECISIVE take, refill
#include <atomic>
#include <condition_variable>
#include <cstdio>
#include <mutex>
#include <thread>

class TokenBucket {
 public:
  void take() {
    std::unique_lock hold(mutex_);
    changed_.wait(hold, [this] { return tokens_ > 0; });
    --tokens_;
  }

  void refill(int count) {
    {
      std::lock_guard hold(mutex_);
      tokens_ += count;
    }
    changed_.notify_one();
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  int tokens_ = 0;
};

static TokenBucket bucket;
static std::atomic<int> sent{0};

static void refill_tick() { bucket.refill(2); }

static void send_one() {
  bucket.take();
  sent.fetch_add(1);
}

int main() {
  std::thread ticker(refill_tick);
  std::thread first(send_one);
  std::thread second(send_one);
  ticker.join();
  first.join();
  second.join();
  std::printf("%d sent\n", sent.load());
  return sent.load() == 2 ? 0 : 1;
}
