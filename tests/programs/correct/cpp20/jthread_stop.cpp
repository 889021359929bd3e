// WHAT    A jthread is asked to stop by its destructor and sees it, waiting or not.
// EXPECT  pass
// WITHIN  strategy every runs 40 seed 1
#include <atomic>
#include <cassert>
#include <condition_variable>
#include <mutex>
#include <stop_token>
#include <thread>

int main() {
  std::atomic<int> stopped{0};
  std::mutex mutex;
  std::condition_variable_any changed;
  {
    std::jthread polling([&](std::stop_token token) {
      while (!token.stop_requested()) std::this_thread::yield();
      stopped++;
    });
    std::jthread waiting([&](std::stop_token token) {
      std::unique_lock lock(mutex);
      const bool satisfied = changed.wait(lock, token, [] { return false; });
      assert(!satisfied);
      stopped++;
    });
  }
  assert(stopped == 2);
}
