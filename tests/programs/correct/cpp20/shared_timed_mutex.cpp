// WHAT    A shared timed mutex times out while a writer is in, and not before its time.
// EXPECT  pass
// WITHIN  strategy every runs 40 seed 1
#include <cassert>
#include <chrono>
#include <mutex>
#include <shared_mutex>
#include <thread>

using namespace std::chrono_literals;

int main() {
  std::shared_timed_mutex mutex;
  std::unique_lock writing(mutex);
  std::jthread other([&] {
    const auto start = std::chrono::steady_clock::now();
    assert(!mutex.try_lock_shared_for(5ms));
    assert(std::chrono::steady_clock::now() - start >= 5ms);
    assert(!mutex.try_lock_until(std::chrono::steady_clock::now() + 5ms));
  });
  other.join();
  writing.unlock();
  assert(mutex.try_lock_for(5ms));
  mutex.unlock();
}
