// WHAT    A loop that polls the clock ends, and no clock goes backwards.
// EXPECT  pass
// WITHIN  strategy every runs 40 seed 1
#include <time.h>

#include <atomic>
#include <cassert>
#include <chrono>
#include <thread>

using namespace std::chrono_literals;

int main() {
  std::atomic<bool> expired{false};
  std::thread poller([&] {
    const auto deadline = std::chrono::steady_clock::now() + 3ms;
    auto last = std::chrono::steady_clock::now();
    while (last < deadline) {
      const auto now = std::chrono::steady_clock::now();
      assert(now >= last);
      last = now;
    }
    expired = true;
  });
  const auto wall = std::chrono::system_clock::now();
  const std::time_t seconds = std::time(nullptr);
  while (!expired) std::this_thread::yield();
  poller.join();
  assert(std::chrono::system_clock::now() >= wall);
  assert(std::time(nullptr) >= seconds);
}
