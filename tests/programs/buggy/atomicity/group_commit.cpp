// WHAT    In a group commit the first committer writes for all; it sees that nothing is pending and
//         gives up the role in a second critical section. Who commits in between believes the
//         writer is still at work, so its request is never written and its future never ready.
// EXPECT  failure deadlock
// WITHIN  strategy portfolio runs 1000 seed 1
// REPLAYS 20/20
// CLASS   atomicity
// MIN_PREEMPTIONS 1
// DECISIVE commit, write_out
#include <cstdio>
#include <deque>
#include <future>
#include <mutex>
#include <thread>
#include <utility>

struct Request {
  int value;
  std::promise<int> written;
};

class Journal {
 public:
  int commit(int value) {
    std::future<int> result;
    bool lead = false;
    {
      std::lock_guard hold(mutex_);
      pending_.push_back({value, {}});
      result = pending_.back().written.get_future();
      lead = !writer_active_;
      writer_active_ = true;
    }
    if (lead) write_out();
    return result.get();
  }

 private:
  std::deque<Request> next_batch() {
    std::lock_guard hold(mutex_);
    return std::exchange(pending_, {});
  }

  void stop_writing() {
    std::lock_guard hold(mutex_);
    writer_active_ = false;
  }

  void write_out() {
    for (;;) {
      std::deque<Request> batch = next_batch();
      if (batch.empty()) break;
      for (Request& request : batch) request.written.set_value(request.value + 1000);
    }
    stop_writing();
  }

  std::mutex mutex_;
  std::deque<Request> pending_;
  bool writer_active_ = false;
};

int main() {
  Journal journal;
  int first = 0, second = 0;
  std::thread one([&] { first = journal.commit(1); });
  std::thread two([&] { second = journal.commit(2); });
  one.join();
  two.join();
  std::printf("%d %d\n", first, second);
  return first == 1001 && second == 1002 ? 0 : 1;
}
