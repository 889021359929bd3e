// WHAT    A pool sets its stop flag without the lock: a worker that has tested it, and not yet
//         begun to wait, misses the notification.
// EXPECT  failure deadlock   sites Pool::run
// WITHIN  strategy portfolio runs 1000 seed 1
// REPLAYS 20/20
// CLASS   lost wake-up
// MIN_PREEMPTIONS 2
// DECISIVE Pool::run, Pool::stop
#include <atomic>
#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace {

class Pool {
 public:
  explicit Pool(int size) {
    for (int i = 0; i < size; i++) workers_.emplace_back([this] { run(); });
  }
  void submit(std::function<void()> task) {
    std::lock_guard guard(mutex_);
    tasks_.push_back(std::move(task));
    changed_.notify_one();
  }
  void stop() {
    stop_ = true;
    changed_.notify_all();
    for (auto& worker : workers_) worker.join();
  }

 private:
  void run() {
    for (;;) {
      std::function<void()> task;
      {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [this] { return stop_ || !tasks_.empty(); });
        if (tasks_.empty()) return;
        task = std::move(tasks_.front());
        tasks_.pop_front();
      }
      task();
    }
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::function<void()>> tasks_;
  std::atomic<bool> stop_{false};
  std::vector<std::thread> workers_;
};

}  // namespace

int main() {
  std::atomic<int> done{0};
  Pool pool(2);
  for (int i = 0; i < 3; i++) pool.submit([&done] { done++; });
  pool.stop();
  return done == 3 ? 0 : 1;
}
