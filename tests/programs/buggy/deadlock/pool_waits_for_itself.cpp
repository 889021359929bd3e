// WHAT    Tasks of a pool of two workers wait for tasks that they give to the same pool: when both workers have such a task, nobody
//         is left to do what they wait for.
// EXPECT  failure deadlock
// WITHIN  strategy portfolio runs 100 seed 1
// REPLAYS 10/10
// CLASS   deadlock
// MIN_PREEMPTIONS 0
// DECISIVE main, submit
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
  explicit Pool(int workers) {
    for (int i = 0; i < workers; ++i) workers_.emplace_back([this] { work(); });
  }
  ~Pool() {
    {
      const std::lock_guard lock(mutex_);
      closed_ = true;
    }
    changed_.notify_all();
    for (std::thread& worker : workers_) worker.join();
  }

  std::future<int> submit(std::function<int()> task) {
    auto packaged = std::make_shared<std::packaged_task<int()>>(std::move(task));
    std::future<int> result = packaged->get_future();
    {
      const std::lock_guard lock(mutex_);
      tasks_.emplace_back([packaged] { (*packaged)(); });
    }
    changed_.notify_one();
    return result;
  }

 private:
  void work() {
    for (;;) {
      std::function<void()> task;
      {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [this] { return closed_ || !tasks_.empty(); });
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
  bool closed_ = false;
  std::vector<std::thread> workers_;
};

int half_and_half(Pool& pool, int value) {
  std::future<int> half = pool.submit([value] { return value / 2; });
  return half.get() + value / 2;
}

}  // namespace

int main() {
  Pool pool(2);
  std::future<int> first = pool.submit([&] { return half_and_half(pool, 4); });
  std::future<int> second = pool.submit([&] { return half_and_half(pool, 6); });
  return first.get() + second.get() == 10 ? 0 : 1;
}
