// WHAT    Release and acquire fences pass a plain value from one thread to another.
// EXPECT  pass
// WITHIN  strategy every runs 40 seed 1
#include <atomic>
#include <cassert>
#include <thread>

int main() {
  int data = 0;
  std::atomic<bool> ready{false};
  std::jthread writer([&] {
    data = 42;
    std::atomic_thread_fence(std::memory_order_release);
    ready.store(true, std::memory_order_relaxed);
  });
  std::jthread reader([&] {
    while (!ready.load(std::memory_order_relaxed)) std::this_thread::yield();
    std::atomic_thread_fence(std::memory_order_acquire);
    assert(data == 42);
  });
}
