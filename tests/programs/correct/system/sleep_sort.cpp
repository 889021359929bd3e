// WHAT    Alone, a thread that sleeps in turns sees them in turn; joined sleepers have slept.
// EXPECT  pass
// WITHIN  strategy every runs 40 seed 1
#include <cassert>
#include <chrono>
#include <thread>

using namespace std::chrono_literals;

int main() {
  auto last = std::chrono::steady_clock::now();
  for (const auto time : {1ms, 3ms, 2ms}) {
    std::this_thread::sleep_for(time);
    const auto now = std::chrono::steady_clock::now();
    assert(now - last >= time);
    last = now;
  }
  // With nothing else that could run, the first to wake is the one that slept least.
  std::chrono::steady_clock::time_point short_woke, long_woke;
  const auto start = std::chrono::steady_clock::now();
  std::thread sleeper([&] {
    std::this_thread::sleep_until(start + 2ms);
    short_woke = std::chrono::steady_clock::now();
  });
  std::this_thread::sleep_until(start + 20ms);
  sleeper.join();
  long_woke = std::chrono::steady_clock::now();
  assert(short_woke >= start + 2ms && long_woke >= start + 20ms && long_woke >= short_woke);
}
