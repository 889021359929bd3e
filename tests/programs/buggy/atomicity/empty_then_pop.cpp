// WHAT    A queue whose every method locks, used as `if (!empty()) pop()`.
// EXPECT  failure crash   sites Queue::pop
// WITHIN  strategy portfolio runs 500 seed 1
// REPLAYS 20/20
// CLASS   atomicity
// MIN_PREEMPTIONS 1
// DECISIVE empty, pop
#include <cassert>
#include <deque>
#include <mutex>
#include <thread>

namespace {

class Queue {
 public:
  void push(int value) {
    std::lock_guard guard(mutex_);
    items_.push_back(value);
  }
  bool empty() {
    std::lock_guard guard(mutex_);
    return items_.empty();
  }
  int pop() {
    std::lock_guard guard(mutex_);
    assert(!items_.empty());
    const int value = items_.front();
    items_.pop_front();
    return value;
  }

 private:
  std::mutex mutex_;
  std::deque<int> items_;
};

void drain(Queue& queue) {
  while (!queue.empty()) queue.pop();
}

}  // namespace

int main() {
  Queue queue;
  for (int i = 0; i < 3; i++) queue.push(i);
  std::thread first([&] { drain(queue); }), second([&] { drain(queue); });
  first.join();
  second.join();
}
