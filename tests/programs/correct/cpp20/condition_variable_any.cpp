// WHAT    A condition_variable_any works with any lock, here a shared one.
// EXPECT  pass
// WITHIN  strategy every runs 40 seed 1
#include <cassert>
#include <condition_variable>
#include <mutex>
#include <shared_mutex>
#include <thread>
#include <vector>

int main() {
  std::shared_mutex mutex;
  std::condition_variable_any changed;
  bool ready = false;
  std::vector<std::jthread> readers;
  for (int i = 0; i < 2; i++) {
    readers.emplace_back([&] {
      std::shared_lock lock(mutex);
      changed.wait(lock, [&] { return ready; });
      assert(ready);
    });
  }
  {
    std::unique_lock lock(mutex);
    ready = true;
  }
  changed.notify_all();
}
