// WHAT    A ring for one producer and one consumer with acquire and release; items arrive once and
//         in order.
// EXPECT  pass
// WITHIN  strategy every runs 40 seed 1
#include <atomic>
#include <cassert>
#include <cstddef>
#include <thread>

namespace {

class Ring {
 public:
  bool push(int value) {
    const std::size_t tail = tail_.load(std::memory_order_relaxed);
    if (tail - head_.load(std::memory_order_acquire) == kSize) return false;
    items_[tail % kSize] = value;
    tail_.store(tail + 1, std::memory_order_release);
    return true;
  }
  bool pop(int& value) {
    const std::size_t head = head_.load(std::memory_order_relaxed);
    if (head == tail_.load(std::memory_order_acquire)) return false;
    value = items_[head % kSize];
    head_.store(head + 1, std::memory_order_release);
    return true;
  }

 private:
  static constexpr std::size_t kSize = 2;
  int items_[kSize] = {};
  std::atomic<std::size_t> head_{0}, tail_{0};
};

}  // namespace

int main() {
  Ring ring;
  std::thread producer([&] {
    for (int i = 0; i < 6; i++) {
      while (!ring.push(i)) std::this_thread::yield();
    }
  });
  for (int i = 0; i < 6; i++) {
    int value;
    while (!ring.pop(value)) std::this_thread::yield();
    assert(value == i);
  }
  producer.join();
}
