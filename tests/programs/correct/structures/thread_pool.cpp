// WHAT    A pool runs every task once and stops when asked, with its flag under the lock.
// EXPECT  pass
// WITHIN  strategy every runs 40 seed 1
#include <cassert>
#include <condition_variable>
#include <deque>
#include <functional>
#include <future>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

namespace {

class Pool {
 public:
  explicit Pool(int size) {
    for (int i = 0; i < size; i++) workers_.emplace_back([this] { run(); });
  }
  ~Pool() {
    {
      std::lock_guard guard(mutex_);
      stop_ = true;
    }
    changed_.notify_all();
    for (auto& worker : workers_) worker.join();
  }
  template <typename Function>
  auto submit(Function function) {
    auto task = std::make_shared<std::packaged_task<decltype(function())()>>(std::move(function));
    auto future = task->get_future();
    {
      std::lock_guard guard(mutex_);
      tasks_.push_back([task] { (*task)(); });
    }
    changed_.notify_one();
    return future;
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
  bool stop_ = false;
  std::vector<std::thread> workers_;
};

}  // namespace

int main() {
  Pool pool(3);
  std::vector<std::future<int>> results;
  for (int i = 0; i < 6; i++) results.push_back(pool.submit([i] { return i * i; }));
  int sum = 0;
  for (auto& result : results) sum += result.get();
  assert(sum == 0 + 1 + 4 + 9 + 16 + 25);
}
