// WHAT    A store schedules no compaction while one is on, and the compaction thread does not look
//         for new work when it says that it is done; a table made immutable while the previous one
//         is being written stays, and the store never closes.
// EXPECT  failure deadlock
// WITHIN  strategy portfolio runs 1000 seed 1
// REPLAYS 20/20
// CLASS   atomicity
// MIN_PREEMPTIONS 1
// DECISIVE compact, maybe_schedule|compact, write|compact, make_room|compact, close
#include <algorithm>
#include <condition_variable>
#include <cstddef>
#include <cstdio>
#include <mutex>
#include <thread>
#include <vector>

namespace {

class Store {
 public:
  Store() : background_([this] { background(); }) {}

  void write(int value) {
    std::unique_lock<std::mutex> lock(mutex_);
    make_room(lock, kTableSize);
    active_.push_back(value);
  }

  // Writes what is left and ends the background thread.
  std::vector<int> close() {
    {
      std::unique_lock<std::mutex> lock(mutex_);
      make_room(lock, 1);
      room_.wait(lock, [this] { return immutable_.empty() && !scheduled_; });
      closing_ = true;
      work_.notify_one();
    }
    background_.join();
    return disk_;
  }

 private:
  static constexpr std::size_t kTableSize = 2;

  void make_room(std::unique_lock<std::mutex>& lock, std::size_t limit) {
    while (active_.size() >= limit) {
      if (immutable_.empty()) {
        immutable_.swap(active_);
        maybe_schedule();
      } else {
        room_.wait(lock);
      }
    }
  }

  void maybe_schedule() {
    if (scheduled_) {
      return;
    }
    scheduled_ = true;
    ++jobs_;
    work_.notify_one();
  }

  void background() {
    for (;;) {
      {
        std::unique_lock<std::mutex> lock(mutex_);
        work_.wait(lock, [this] { return jobs_ > 0 || closing_; });
        if (jobs_ == 0) {
          return;
        }
        --jobs_;
      }
      compact();
    }
  }

  void compact() {
    std::vector<int> table;
    {
      std::lock_guard<std::mutex> guard(mutex_);
      table.swap(immutable_);
    }
    std::sort(table.begin(), table.end());
    disk_.insert(disk_.end(), table.begin(), table.end());
    std::lock_guard<std::mutex> guard(mutex_);
    scheduled_ = false;
    room_.notify_all();
  }

  std::mutex mutex_;
  std::condition_variable room_;
  std::condition_variable work_;
  std::vector<int> active_;
  std::vector<int> immutable_;
  std::vector<int> disk_;  // the background thread's until it has ended
  bool scheduled_ = false;
  bool closing_ = false;
  int jobs_ = 0;
  std::thread background_;
};

}  // namespace

int main() {
  Store store;
  std::thread even([&] {
    for (int value = 0; value < 6; value += 2) {
      store.write(value);
    }
  });
  std::thread odd([&] {
    for (int value = 1; value < 6; value += 2) {
      store.write(value);
    }
  });
  even.join();
  odd.join();
  std::vector<int> disk = store.close();
  std::printf("%zu values on disk\n", disk.size());
  return disk.size() == 6 ? 0 : 1;
}
