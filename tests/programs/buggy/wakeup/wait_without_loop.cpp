// WHAT    A consumer tests with `if` instead of `while`: between the signal and its return another
//         consumer takes the item.
// EXPECT  failure crash   sites consume
// WITHIN  strategy portfolio runs 500 seed 1
// REPLAYS 20/20
// CLASS   atomicity|order violation
// MIN_PREEMPTIONS 2
// DECISIVE consume, consume|main, consume
#include <cassert>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>

namespace {

std::mutex mutex;
std::condition_variable available;
std::deque<int> items;
bool closed = false;

void consume() {
  std::unique_lock lock(mutex);
  if (items.empty() && !closed) available.wait(lock);
  if (closed && items.empty()) return;
  assert(!items.empty());
  items.pop_front();
}

}  // namespace

int main() {
  std::thread first(consume), second(consume);
  {
    std::lock_guard guard(mutex);
    items.push_back(1);
    available.notify_one();
  }
  {
    std::lock_guard guard(mutex);
    items.push_back(2);
    available.notify_one();
  }
  first.join();
  second.join();
}
