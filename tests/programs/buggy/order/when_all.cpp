// WHAT    A checksum job cuts its input into parts, hands each to a pool, and only then, when it
//         knows how many there are, sets the number of parts outstanding; a part that is done
//         before is not counted and the promise is never kept.
// EXPECT  failure deadlock
// WITHIN  strategy portfolio runs 1000 seed 1
// REPLAYS 20/20
// CLASS   order violation
// MIN_PREEMPTIONS 1
// DECISIVE start, part_done
#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <cstdio>
#include <deque>
#include <functional>
#include <future>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace {

class Pool {
 public:
  explicit Pool(int workers) {
    for (int i = 0; i < workers; ++i) {
      workers_.emplace_back([this] { work(); });
    }
  }

  ~Pool() {
    {
      std::lock_guard<std::mutex> guard(mutex_);
      stopping_ = true;
    }
    ready_.notify_all();
    for (std::thread& worker : workers_) {
      worker.join();
    }
  }

  void submit(std::function<void()> task) {
    {
      std::lock_guard<std::mutex> guard(mutex_);
      tasks_.push_back(std::move(task));
    }
    ready_.notify_one();
  }

 private:
  void work() {
    for (;;) {
      std::function<void()> task;
      {
        std::unique_lock<std::mutex> lock(mutex_);
        ready_.wait(lock, [this] { return stopping_ || !tasks_.empty(); });
        if (tasks_.empty()) {
          return;
        }
        task = std::move(tasks_.front());
        tasks_.pop_front();
      }
      task();
    }
  }

  std::mutex mutex_;
  std::condition_variable ready_;
  std::deque<std::function<void()>> tasks_;
  bool stopping_ = false;
  std::vector<std::thread> workers_;
};

class ChecksumJob {
 public:
  explicit ChecksumJob(std::string text) : text_(std::move(text)) {}

  // One part per line.
  std::future<unsigned> start(Pool& pool) {
    int parts = 0;
    std::size_t begin = 0;
    while (begin < text_.size()) {
      std::size_t end = text_.find('\n', begin);
      if (end == std::string::npos) {
        end = text_.size();
      }
      pool.submit([this, begin, end] { part_done(checksum(begin, end)); });
      ++parts;
      begin = end + 1;
    }
    outstanding_.store(parts);
    return result_.get_future();
  }

 private:
  unsigned checksum(std::size_t begin, std::size_t end) const {
    unsigned sum = 0;
    for (unsigned round = 0; round < 3000; ++round) {
      for (std::size_t i = begin; i < end; ++i) {
        sum = sum * 31 + static_cast<unsigned char>(text_[i]) + round;
      }
    }
    return sum;
  }

  void part_done(unsigned sum) {
    total_.fetch_xor(sum);
    if (outstanding_.fetch_sub(1) == 1) {
      result_.set_value(total_.load());
    }
  }

  const std::string text_;
  std::atomic<int> outstanding_{0};
  std::atomic<unsigned> total_{0};
  std::promise<unsigned> result_;
};

}  // namespace

int main() {
  ChecksumJob job("the quick brown fox\njumps over\nthe lazy dog");
  Pool pool(2);
  std::future<unsigned> result = job.start(pool);
  std::printf("checksum %08x\n", result.get());
  return 0;
}
