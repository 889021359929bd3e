// WHAT    Producers and consumers with predicates, and notify_all_at_thread_exit.
// EXPECT  pass
// WITHIN  strategy every runs 40 seed 1
#include <cassert>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>
#include <vector>

int main() {
  std::mutex mutex;
  std::condition_variable not_empty, not_full;
  std::deque<int> items;
  int sum = 0;
  std::vector<std::jthread> threads;
  for (int p = 0; p < 2; p++) {
    threads.emplace_back([&] {
      for (int i = 1; i <= 3; i++) {
        std::unique_lock lock(mutex);
        not_full.wait(lock, [&] { return items.size() < 2; });
        items.push_back(i);
        not_empty.notify_one();
      }
    });
    threads.emplace_back([&] {
      for (int i = 0; i < 3; i++) {
        std::unique_lock lock(mutex);
        not_empty.wait(lock, [&] { return !items.empty(); });
        sum += items.front();
        items.pop_front();
        not_full.notify_one();
      }
    });
  }
  threads.clear();
  assert(sum == 12 && items.empty());

  bool ended = false;
  std::jthread last([&] {
    std::unique_lock lock(mutex);
    ended = true;
    std::notify_all_at_thread_exit(not_empty, std::move(lock));
  });
  std::unique_lock lock(mutex);
  not_empty.wait(lock, [&] { return ended; });
}
